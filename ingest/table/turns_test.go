package table

import "testing"

func TestTurns(t *testing.T) {
	checkRuns(t, "a warm-up and runs", "| Phase | TPS |\n|---|--:|\n| Warm-up | 2 198.60 |\n| **Run 1** | 2 196.37 |\n| Run 2 | 2 275.58 |\n",
		"phase=warmup tps=2198.6; phase=run rep=1 tps=2196.37; phase=run rep=2 tps=2275.58")
	checkRuns(t, "runs alone, and their mean", "turn,server,tps\nRun 1,base,801.2\nRun 2,base,803.2\nRun 1,new,811.3\nAverage,new,811.3\n",
		"rep=1 server=base tps=801.2; rep=2 server=base tps=803.2; rep=1 server=new tps=811.3")
	checkRuns(t, "a column of runs keeps its name", "run,tps\nRun 1,801.2\nRun 2,803.2\n", "run=Run 1 tps=801.2; run=Run 2 tps=803.2")
	checkRuns(t, "numbers and a warm-up", "run,tps\nwarmup,701.2\n1,801.2\n2,803.2\n", "phase=warmup tps=701.2; phase=run rep=1 tps=801.2; phase=run rep=2 tps=803.2")
	checkRuns(t, "phases of a test", "phase,tps\nload,801.2\nRun 1,803.2\nRun 2,805.2\n", "phase=load tps=801.2; phase=Run 1 tps=803.2; phase=Run 2 tps=805.2")
	checkRuns(t, "another column says the repetition", "phase,rep,tps\nwarmup,1,801.2\nRun 1,1,803.2\nRun 2,2,805.2\n",
		"phase=warmup rep=1 tps=801.2; phase=Run 1 rep=1 tps=803.2; phase=Run 2 rep=2 tps=805.2")
}
