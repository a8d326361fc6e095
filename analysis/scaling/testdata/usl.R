# The two published data sets of the USL, natural scale, by R's nls: Rscript usl.R
# SPEC SDM 1991 and a ray tracer, in Gunther, Guerrilla Capacity Planning (2007); both ship with the R package usl.
specsdm91 <- data.frame(x = c(1, 18, 36, 72, 108, 144, 216), y = c(64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775, 1702.2))
raytracer <- data.frame(x = c(1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64), y = c(20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310))
fit <- function(d, l) nls(y ~ l * x / (1 + s * (x - 1) + k * x * (x - 1)), d, start = list(s = .03, k = 1e-4, l = l), algorithm = "port")
show <- function(m) print(summary(m)$coefficients, digits = 12)
show(fit(specsdm91, 90))
show(fit(raytracer[1:6, ], 20))
show(nls(y ~ l * x / (1 + s * (x - 1)), raytracer, start = list(s = .05, l = 20)))
