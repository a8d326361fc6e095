# The references of factors_test.go and of the shared-days test: base R only.
# Data are made by formula, so that Go can make the same.
noise <- function(i) sin(i * i) # deterministic, irregular
build <- c("gcc", "lto"); version <- c("5.6", "5.7", "8.0")
effect <- function(b, v) 7 + 0.04 * (b - 1) - c(0, 0.05, 0.2)[v] + 0.03 * (b == 2 && v == 3)

cat("== loads: 3 loads x 3 runs a cell, one day\n")
rows <- expand.grid(run = 1:3, load = 1:3, v = 1:3, b = 1:2)
rows$i <- seq_len(nrow(rows))
rows$y <- mapply(function(b, v, l, i) effect(b, v) + 0.02 * noise(100 * b + 10 * v + l) + 0.005 * noise(i), rows$b, rows$v, rows$load, rows$i)
cells <- aggregate(y ~ load + v + b, rows, mean)
cells$cell <- factor(paste(cells$b, cells$v))
fit <- lm(y ~ 0 + cell, cells)
m <- coef(fit); V <- vcov(fit); df <- fit$df.residual
names(m) <- levels(cells$cell) # "1 1" "1 2" ...
contrast <- function(w) {
  est <- sum(w * m); se <- sqrt(drop(t(w) %*% V %*% w)); q <- qt(.975, df)
  sprintf("ratio %.9f lo %.9f hi %.9f p %.9g", exp(est), exp(est - q * se), exp(est + q * se), 2 * pt(-abs(est / se), df))
}
cat("df", df, "\n")
cat("build lto    ", contrast(c(-1, -1, -1, 1, 1, 1) / 3), "\n")
cat("version 8.0  ", contrast(c(-1, 0, 1, -1, 0, 1) / 2), "\n")
cat("8.0 with gcc ", contrast(c(-1, 0, 1, 0, 0, 0)), "\n")
cat("interaction  ", contrast(c(1, 0, -1, -1, 0, 1)), "\n")
whole <- c(-1, 0, 0, 0, 0, 1)
cat("whole        ", contrast(whole), "\n")
# Fieller by its meaning: the shares that a t test of num - share * whole keeps.
part <- c(-.5, 0, -.5, .5, 0, .5)
stat <- function(s) { w <- part - s * whole; abs(sum(w * m)) / sqrt(drop(t(w) %*% V %*% w)) - qt(.975, df) }
s <- sum(part * m) / sum(whole * m)
cat(sprintf("share of build %.9f lo %.9f hi %.9f\n", s, uniroot(stat, c(s - 3, s), tol = 1e-12)$root, uniroot(stat, c(s, s + 3), tol = 1e-12)$root))

cat("== days: all cells on each of 4 days\n")
d <- expand.grid(v = 1:3, b = 1:2, day = 1:4)
d$i <- seq_len(nrow(d))
d$y <- mapply(function(b, v, day, i) effect(b, v) + 0.3 * noise(day) + 0.01 * noise(i + 50), d$b, d$v, d$day, d$i)
w <- matrix(d$y, nrow = 6) # cells x days, cells as above
for (c in list(list("build lto", c(-1, -1, -1, 1, 1, 1) / 3), list("interaction 8.0", c(1, 0, -1, -1, 0, 1)))) {
  t <- t.test(drop(c[[2]] %*% w))
  cat(sprintf("%s ratio %.9f lo %.9f hi %.9f p %.9g\n", c[[1]], exp(t$estimate), exp(t$conf.int[1]), exp(t$conf.int[2]), t$p.value))
}
two <- aov(y ~ factor(paste(b, v)) + factor(day), d)
cat(sprintf("two-way residual mean square %.12g on %d df\n", deviance(two) / two$df.residual, two$df.residual))
