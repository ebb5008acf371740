package dev.stowage.cli.report;

import dev.stowage.cli.budget.BudgetPart;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;

/** The memory of a service as the resources of a Kubernetes container, a document of YAML. */
public final class BudgetKubernetes {

  private static final long MIB = 1 << 20;

  private BudgetKubernetes() {}

  /**
   * {@return the lines of the document}
   *
   * @param isNext true if a document precedes it; a document has each key once
   */
  public static Answer of(BudgetReport report, boolean isNext) {
    Answer answer =
        new Answer()
            .line(
                "%s# %s: %s%s",
                isNext ? "---\n" : "",
                Printable.of(report.input()),
                BudgetAnswer.load(report.request()),
                report.largest().dimensions().isEmpty()
                    ? ""
                    : ", at most " + Printable.of(report.largest().text()))
            .line(
                "# measured on %s with %s",
                Printable.of(report.machine()), report.request().engine().title());
    if (report.limitBytes().isEmpty()) {
      return answer.line("# no limit: the memory still grows, or the machine has too little of it");
    }
    long mebibytes = report.limitBytes().getAsLong() / MIB;
    if (report.hasProcess()) {
      addParts(report, mebibytes, answer);
    } else {
      answer.line(
          "# the heap is not included: measure it in the running service with stowage who PID --gc --output service.txt, and add --jvm service.txt");
    }
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

  /** Adds the parts and their flags. The sum of the parts is the limit. */
  private static void addParts(BudgetReport report, long mebibytes, Answer answer) {
    List<BudgetPart> parts = new ArrayList<>(report.processParts());
    // No flag: it would bound the other direct buffers of the service, too.
    parts.add(
        new BudgetPart("inputs in direct buffers", Math.max(1, report.more().inputBytes()), ""));
    List<String> flags = new ArrayList<>();
    long rest = mebibytes;
    for (BudgetPart part : parts) {
      long size = Math.ceilDiv(part.bytes(), MIB);
      rest -= size;
      answer.line("#   %6d MiB  %s", size, part.name());
      if (!part.flag().isEmpty()) {
        flags.add(Text.of(part.flag(), size));
      }
    }
    answer.line("#   %6d MiB  engine, sessions and runs, with a margin", rest);
    if (report.request().jvm().isEmpty()) {
      answer.line(
          "# the JVM is the one that measured, with SerialGC: for your service, run stowage who PID --gc --output service.txt, and add --jvm service.txt");
    }
    answer.line(
        """
        env:
          - name: JAVA_TOOL_OPTIONS
            value: "%s"\
        """,
        String.join(" ", flags));
  }
}
