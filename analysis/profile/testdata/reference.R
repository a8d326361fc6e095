# Draws counts.csv and works out expected.csv without any line of the Go code:
#   Rscript reference.R
# Five days, two launches of each arm a day, one profile a launch; eight symbols
# f0..f7, called by c0 (even) or c1 (odd), both called by main.
set.seed(1)
symbols <- paste0("f", 0:7)
share <- c(.3, .2, .15, .12, .1, .08, .04, .01)
runs <- expand.grid(launch = 1:2, arm = 0:1, day = paste0("2026-01-0", 1:5), stringsAsFactors = FALSE)
counts <- NULL
for (i in seq_len(nrow(runs))) {
  log_share <- log(share) + rnorm(8, 0, .03)
  if (runs$arm[i] == 1) log_share[2] <- log_share[2] + .6      # f1 grows
  n <- 2500 + sample(500, 1)
  k <- rmultinom(1, n, exp(log_share))[, 1]
  if (runs$day[i] != "2026-01-03") k[8] <- if (runs$arm[i] == 1) k[8] else 0L  # f7: new, with zeros in the base
  transactions <- round((20000 + rnorm(1, 0, 300)) * (if (runs$arm[i] == 1) 1.15 else 1))
  counts <- rbind(counts, data.frame(runs[i, ], transactions = transactions, t(k), row.names = NULL))
}
names(counts)[5:12] <- symbols
write.csv(counts, "counts.csv", row.names = FALSE, quote = FALSE)

n <- rowSums(counts[, symbols])
days <- unique(counts$day)
weight <- ifelse(counts$arm == 1, 1, -1) / (length(days) * 2)  # 2 launches of one run
answer <- function(symbol, kind, scale, k) {
  p0 <- mean(k / n)
  if (scale == "share") {
    h <- .5 / median(n)
    v <- log((k / n + h) / (1 - k / n + h))
    back <- function(y) uniroot(function(x) log((x + h) / (1 - x + h)) - y, c(-h / 2, 1 + h / 2), tol = 1e-15)$root
    sampling <- 1 / (n * p0 + .5) + 1 / (n * (1 - p0) + .5)
  } else {
    h <- .5 / median(counts$transactions)
    v <- log(k / counts$transactions + h)
    back <- function(y) exp(y) - h
    sampling <- 1 / (n * p0 + .5)
  }
  cell <- aggregate(v, list(launch = counts$launch, arm = counts$arm, day = counts$day), mean)
  cell <- aggregate(cell$x, list(arm = cell$arm, day = cell$day), mean)
  base <- cell$x[cell$arm == 0]; contender <- cell$x[cell$arm == 1]
  d <- contender - base
  se <- max(sd(d) / sqrt(length(d)), sqrt(sum(weight^2 * sampling)))
  half <- qt(.975, length(d) - 1) * se
  b <- back(mean(base))
  data.frame(symbol, kind, scale, base = b, contender = back(mean(contender)), diff = back(mean(contender)) - b,
             lo = back(mean(base) + mean(d) - half) - b, hi = back(mean(base) + mean(d) + half) - b,
             p = 2 * pt(-abs(mean(d) / se), length(d) - 1))
}
rows <- NULL
for (scale in c("share", "per-transaction")) {
  for (s in symbols) rows <- rbind(rows, answer(s, "self", scale, counts[[s]]))
  rows <- rbind(rows, answer("c0", "total", scale, rowSums(counts[, symbols[c(1, 3, 5, 7)]])),
                      answer("c1", "total", scale, rowSums(counts[, symbols[c(2, 4, 6, 8)]])))
}
rows <- rbind(rows, answer("[all]", "total", "per-transaction", n))
rows$q <- p.adjust(rows$p, "BH")
write.csv(format(rows, digits = 15), "expected.csv", row.names = FALSE, quote = FALSE)
