# Times nls on the points of standard input (n x a line) and prints seconds a fit, sigma, kappa, lambda.
d <- read.table(file("stdin"), col.names = c("n", "x"))
fit <- function() nls(x ~ lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1)), d,
                      start = list(sigma = .1, kappa = 1e-4, lambda = d$x[1] / d$n[1]))
fits <- 200
m <- fit()
took <- system.time(for (i in 1:fits) fit())[["elapsed"]]
cat(sprintf("%.17g", c(took / fits, coef(m))), "\n")
