package dev.stowage.cli.report;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.pages.text.Printable;

/** The largest budget of a model as the resources of a Kubernetes container, a document of YAML. */
public final class BudgetKubernetes {

  private static final long MIB = 1 << 20;

  private BudgetKubernetes() {}

  /**
   * {@return the lines of the document}
   *
   * @param isNext true if a document precedes it; a document has each key once
   */
  public static Answer of(BudgetReport report, boolean isNext) {
    ShapeBudget largest = report.largest();
    long mebibytes = Math.ceilDiv(largest.budget().highestBytes(), MIB);
    Answer answer =
        new Answer()
            .line(
                "%s# %s: sessions=%d, threads=%d%s%s",
                isNext ? "---\n" : "",
                Printable.of(largest.input()),
                largest.service().sessions(),
                largest.service().threads(),
                report.cpu().map(cpu -> ", cpu=" + cpu.name()).orElse(""),
                largest.hasProcess() ? "" : ", without the Java process");
    largest
        .service()
        .heapBytes()
        .ifPresent(bytes -> answer.line("# start Java with -Xmx%s", heap(bytes)));
    report.unknown().forEach(sentence -> answer.line("# unknown: %s", Printable.of(sentence)));
    return answer.line(
        """
        resources:
          requests:
            memory: "%dMi"
          limits:
            memory: "%dMi\"\
        """,
        mebibytes, mebibytes);
  }

  /** {@return the value of -Xmx} */
  private static String heap(long bytes) {
    return bytes % MIB == 0 ? bytes / MIB + "m" : Long.toString(bytes);
  }
}
