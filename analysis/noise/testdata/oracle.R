# Simulates the data sets of this folder and asks lme4, lmerTest and pbkrtest
# for the answers. Debian: r-base-core r-cran-lme4 r-cran-lmertest
# r-cran-pbkrtest. Usage: Rscript oracle.R OUTDIR
# The optimiser is run to far tighter tolerances than lme4's defaults, so that
# the committed numbers are the optimum and not the place where lme4 stopped.
suppressMessages({library(lme4); library(lmerTest); library(pbkrtest)})
out <- commandArgs(TRUE)[1]
dir.create(out, FALSE, TRUE)
lines <- character(0)
num <- function(x) format(as.numeric(x), digits = 15, scientific = TRUE, trim = TRUE)
say <- function(set, quantity, value) lines <<- c(lines, paste(set, quantity, num(value), sep = "\t"))
tight <- lmerControl(optimizer = "nloptwrap",
  optCtrl = list(algorithm = "NLOPT_LN_BOBYQA", xtol_abs = 1e-12, ftol_abs = 1e-14, maxeval = 1e5),
  calc.derivs = FALSE, check.conv.singular = "ignore")
write <- function(name, d) write.csv(d, file.path(out, paste0(name, ".csv")), row.names = FALSE, quote = FALSE)

# Everything noisefloor is compared on for one fitted model.
answer <- function(name, m, contrast = NULL) {
  v <- as.data.frame(VarCorr(m))
  for (i in seq_len(nrow(v))) say(name, paste0("var:", v$grp[i]), v$vcov[i])
  say(name, "criterion", REMLcrit(m))
  f <- summary(m)$coefficients
  for (i in rownames(f)) { say(name, paste0("coef:", i), f[i, "Estimate"]); say(name, paste0("se:", i), f[i, "Std. Error"]) }
  if (is.null(contrast)) return(invisible())
  say(name, "satterthwaite_df", f[contrast, "df"]); say(name, "satterthwaite_p", f[contrast, "Pr(>|t|)"])
  k <- summary(m, ddf = "Kenward-Roger")$coefficients
  say(name, "kr_se", k[contrast, "Std. Error"]); say(name, "kr_df", k[contrast, "df"]); say(name, "kr_p", k[contrast, "Pr(>|t|)"])
}

# Two arms interleaved on the same days; launches inside day and arm if nl > 1.
twoArms <- function(nd, nl, nr, effect, sd, drop = 0) {
  g <- expand.grid(run = 1:nr, launch = 1:nl, arm = c("base", "contender"), day = 1:nd)
  a <- as.integer(g$arm)
  D <- rnorm(nd, 0, sd["day"]); AD <- matrix(rnorm(2 * nd, 0, sd["ad"]), nd, 2)
  L <- array(rnorm(2 * nd * nl, 0, sd["launch"]), c(nd, 2, nl))
  g$tps <- round(2500 * exp(effect * (a - 1) + D[g$day] + AD[cbind(g$day, a)] + L[cbind(g$day, a, g$launch)] +
    rnorm(nrow(g), 0, sd["run"])), 3)
  if (drop > 0) g <- g[-sample(nrow(g), drop), ]
  g$launch <- paste0("d", g$day, substr(g$arm, 1, 1), g$launch)
  g$day <- sprintf("d%02d", g$day)
  g[order(g$day, g$arm, g$launch, g$run), c("day", "arm", "launch", "run", "tps")]
}
fitTwo <- function(name, d, launch = FALSE) {
  write(name, d)
  d$y <- log(d$tps)
  m <- if (launch) lmer(y ~ arm + (1 | day) + (1 | day:arm) + (1 | launch), d, control = tight)
       else lmer(y ~ arm + (1 | day) + (1 | day:arm), d, control = tight)
  answer(name, m, "armcontender")
  cat(name, "singular:", isSingular(m), "\n")
}
set.seed(11); fitTwo("balanced", twoArms(8, 1, 3, 0.02, c(day = .05, ad = .012, launch = 0, run = .009)))
set.seed(12); fitTwo("unbalanced", twoArms(6, 1, 6, 0.015, c(day = .04, ad = .01, launch = 0, run = .012), drop = 23))
set.seed(23); fitTwo("null", twoArms(5, 1, 4, 0, c(day = .06, ad = 0, launch = 0, run = .011), drop = 3))
set.seed(14); fitTwo("two_days", twoArms(2, 1, 4, 0.04, c(day = .05, ad = .015, launch = 0, run = .01)))
set.seed(20); fitTwo("launches", twoArms(6, 3, 3, 0.01, c(day = .04, ad = .01, launch = .012, run = .006), drop = 17), launch = TRUE)
set.seed(15); fitTwo("launches_null", twoArms(6, 3, 3, 0.01, c(day = .04, ad = .01, launch = .012, run = .006), drop = 17), launch = TRUE)

# One arm, three levels: intervals inside runs inside days.
set.seed(16)
g <- expand.grid(interval = 1:12, run = 1:4, day = 1:6)
D <- rnorm(6, 0, .03); R <- matrix(rnorm(24, 0, .01), 6, 4)
g$tps <- round(2500 * exp(D[g$day] + R[cbind(g$day, g$run)] + rnorm(nrow(g), 0, .025)), 3)
g <- g[-sample(nrow(g), 41), ]
g$run <- paste0("d", g$day, "r", g$run); g$day <- sprintf("d%02d", g$day)
g <- g[order(g$day, g$run, g$interval), c("day", "run", "interval", "tps")]
write("profile", g); g$y <- log(g$tps)
answer("profile", lmer(y ~ 1 + (1 | day) + (1 | run), g, control = tight))

# REML profile likelihood of one component's SD, by dense algebra and optim:
# lme4's confint profiles the ML criterion, which is another interval.
criterion <- function(v, y, X, Z) {
  V <- diag(v[length(v)], length(y))
  for (i in seq_along(Z)) V <- V + v[i] * Z[[i]]
  R <- chol(V); W <- backsolve(R, X, transpose = TRUE); r <- backsolve(R, y, transpose = TRUE)
  q <- qr(W); e <- qr.resid(q, r)
  2 * sum(log(diag(R))) + 2 * sum(log(abs(diag(qr.R(q))))) + sum(e^2) + (length(y) - ncol(X)) * log(2 * pi)
}
profileSD <- function(name, m, y, X, groups) {
  Z <- lapply(groups, function(f) tcrossprod(model.matrix(~ 0 + factor(f))))
  v <- as.data.frame(VarCorr(m)); est <- v$vcov[match(c(names(groups), "Residual"), v$grp)]
  best <- REMLcrit(m)
  for (k in seq_along(est)) {
    others <- function(s) {
      f <- function(l) { w <- numeric(length(est)); w[k] <- s^2; w[-k] <- exp(l); criterion(w, y, X, Z) }
      start <- log(pmax(est[-k], 1e-3 * max(est)))
      o <- optim(start, f, control = list(reltol = 1e-15, maxit = 5000))
      o <- optim(o$par, f, control = list(reltol = 1e-15, maxit = 5000))
      o$value - best - qchisq(.95, 1)
    }
    s <- sqrt(est[k]); label <- c(names(groups), "Residual")[k]
    lo <- if (others(1e-7) < 0) 0 else uniroot(others, c(1e-7, s), tol = 1e-12)$root
    up <- 2 * s; while (others(up) < 0) up <- 2 * up
    say(name, paste0("profile_lo:", label), lo)
    say(name, paste0("profile_hi:", label), uniroot(others, c(s, up), tol = 1e-12)$root)
  }
}
d <- read.csv(file.path(out, "unbalanced.csv")); d$y <- log(d$tps); d$cell <- paste(d$day, d$arm)
m <- lmer(y ~ arm + (1 | day) + (1 | cell), d, control = tight)
profileSD("unbalanced", m, d$y, model.matrix(~ arm, d), list(day = d$day, cell = d$cell))
d <- d[d$arm == "base", ]
m <- lmer(y ~ 1 + (1 | day), d, control = tight)
answer("unbalanced_base", m)
profileSD("unbalanced_base", m, d$y, matrix(1, nrow(d), 1), list(day = d$day))

# Noncentral t and what one needs to see for 80 % power.
for (x in list(c(2, 1, 2), c(2, 5, 1.5), c(-1, 3, 1), c(0, 4, 2.5), c(12.706204736432, 1, 16), c(4.303, 2, 5.7),
               c(2.262, 9, 3.1), c(3, 200, 4), c(1.96, 1e6, 2.8), c(-3, 7, -2), c(40, 2, 30)))
  say("noncentral_t", paste(x, collapse = "_"), pt(x[1], x[2], x[3]))
for (df in c(1, 2, 4, 9, 19, 99)) {
  f <- function(d) { q <- qt(.975, df); pt(-q, df, d) + pt(q, df, d, lower.tail = FALSE) - .8 }
  say("delta", paste0("df", df), uniroot(f, c(0, 40), tol = 1e-13)$root)
}
say("power.t.test", "paired_n6_sd.015_delta", power.t.test(n = 6, sd = .015, power = .8, type = "paired", strict = TRUE, tol = 1e-12)$delta)
say("power.t.test", "paired_n6_sd.015_delta.02_power", power.t.test(n = 6, sd = .015, delta = .02, type = "paired", strict = TRUE)$power)
writeLines(c("set\tquantity\tvalue", lines), file.path(out, "reference.tsv"))
