package dev.stowage.cli.replay;

/** The calls with which a program in PyTorch records a history. */
public final class HistoryCalls {

  public static final String START = "torch.cuda.memory._record_memory_history()";

  public static final String END = "torch.cuda.memory._dump_snapshot(\"snapshot.pickle\")";

  private HistoryCalls() {}
}
