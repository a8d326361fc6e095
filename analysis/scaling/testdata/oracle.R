# Fits the laws on logs with an intercept for each day, saturating to falling.csv
# and the others to sweep.csv, and prints what scaling must agree with:
# Rscript oracle.R > reference.tsv
cells <- function(file) {
  d <- read.csv(file, stringsAsFactors = TRUE)
  cell <- aggregate(list(ly = log(d$value)), list(day = d$day, x = d$x), mean)
  cell$day <- factor(cell$day)
  cell
}
cell <- cells("sweep.csv")
lo <- min(cell$x); hi <- max(cell$x)
u <- function(x) 2 * log(x / lo) / log(hi / lo) - 1
laws <- list(
  linear     = list(f = function(x, p) log(1 - (x - lo) / (hi - lo) + exp(p[1]) * (x - lo) / (hi - lo)), start = 1),
  power      = list(f = function(x, p) p[1] * log(x), start = .5),
  amdahl     = list(f = function(x, p) log(x / (1 + p[1] * (x - 1))), start = .1),
  gustafson  = list(f = function(x, p) log(x - p[1] * (x - 1)), start = .5),
  usl        = list(f = function(x, p) log(x / (1 + p[1] * (x - 1) + p[2] * x * (x - 1))), start = c(.05, 1e-4)),
  peak       = list(f = function(x, p) p[1] * u(x) + p[2] * u(x)^2, start = c(0, 0)),
  saturating = list(f = function(x, p) log((p[2] * exp(p[1]) + x) / (exp(p[1]) + x)), start = c(2, 3)))
put <- function(law, name, value) cat(law, name, sprintf("%.10g", value), sep = "\t", fill = TRUE)

# Within a day both sides lose their mean: the day's intercept.
centre <- function(v, day) v - ave(v, day)
fit <- function(law, cell) {
  cell$day <- droplevels(cell$day)
  n <- length(law$start)
  left <- function(p) { h <- law$f(cell$x, p); if (any(!is.finite(h))) rep(1e3, nrow(cell)) else centre(cell$ly - h, cell$day) }
  scale <- ifelse(abs(law$start) < 1e-3, 1e-3, 1)
  # Several restarts of BFGS and one Gauss-Newton finish, so that six digits are real.
  o <- list(par = law$start)
  for (i in 1:5) o <- optim(o$par, function(p) sum(left(p)^2), method = if (n == 1) "BFGS" else "Nelder-Mead",
                            control = list(reltol = 1e-16, maxit = 20000, parscale = scale))
  p <- o$par
  for (i in 1:30) {
    J <- sapply(seq_along(p), function(j) { h <- 1e-6 * max(abs(p[j]), 1e-4); q <- p; q[j] <- p[j] + h; r <- p; r[j] <- p[j] - h; (left(q) - left(r)) / (2 * h) })
    J <- matrix(J, nrow = nrow(cell))
    step <- -qr.solve(J, left(p))
    if (sum(left(p + step)^2) <= sum(left(p)^2) * (1 + 1e-12)) p <- p + step else break
  }
  a <- tapply(cell$ly - law$f(cell$x, p), cell$day, mean)
  list(p = p, scale = mean(a), rss = sum(left(p)^2))
}

for (name in names(laws)) {
  law <- laws[[name]]
  if (name == "saturating") cell <- cells("falling.csv")
  full <- fit(law, cell)
  n <- nrow(cell); k <- length(full$p) + nlevels(cell$day) + 1
  for (j in seq_along(full$p)) put(name, paste0("p", j), full$p[j])
  put(name, "scale", full$scale)
  put(name, "rss", full$rss)
  put(name, "aicc", n * (log(2 * pi * full$rss / n) + 1) + 2 * k + 2 * k * (k + 1) / (n - k - 1))
  # Lack of fit against day x level, by lm.
  free <- lm(ly ~ day + factor(x), cell)
  ssd <- sum(resid(free)^2); dfd <- free$df.residual
  df <- (n - dfd - nlevels(cell$day)) - length(full$p)
  f <- ((full$rss - ssd) / df) / (ssd / dfd)
  put(name, "lack_of_fit_p", pf(f, df, dfd, lower.tail = FALSE))
  # Delete one day: the interval of the curve at 20 clients.
  at <- function(m) m$scale + law$f(20, m$p)
  days <- levels(cell$day)
  less <- lapply(days, function(day) fit(law, cell[cell$day != day, ]))
  v <- sapply(less, at); D <- length(days)
  half <- qt(.975, D - 1) * sqrt((D - 1) / D * sum((v - mean(v))^2))
  put(name, "at20", exp(at(full))); put(name, "at20_lo", exp(at(full) - half)); put(name, "at20_hi", exp(at(full) + half))
  if (name == "usl") {
    for (t in 1:2) {
      w <- sapply(less, function(m) m$p[t]); h <- qt(.975, D - 1) * sqrt((D - 1) / D * sum((w - mean(w))^2))
      put(name, paste0(c("sigma", "kappa")[t], "_lo"), full$p[t] - h); put(name, paste0(c("sigma", "kappa")[t], "_hi"), full$p[t] + h)
    }
    top <- function(m) log(sqrt((1 - m$p[1]) / m$p[2]))
    w <- sapply(less, top); h <- qt(.975, D - 1) * sqrt((D - 1) / D * sum((w - mean(w))^2))
    put(name, "peak", exp(top(full))); put(name, "peak_lo", exp(top(full) - h)); put(name, "peak_hi", exp(top(full) + h))
  }
}
