package dev.stowage.cli.report;

import dev.stowage.cli.budget.BudgetPart;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The memory of a service as the resources of a Kubernetes container, a document of YAML. */
public final class BudgetKubernetes {

  private static final long MIB = 1 << 20;

  /** The flags that bound parts of the JVM. */
  private static final Map<String, String> FLAGS =
      Map.of(
          BudgetPart.HEAP, "-Xmx%dm",
          BudgetPart.METASPACE, "-XX:MaxMetaspaceSize=%dm",
          BudgetPart.CODE, "-XX:ReservedCodeCacheSize=%dm");

  private final BudgetReport report;
  private final List<String> flags = new ArrayList<>();
  private final List<String> parts = new ArrayList<>();
  private long rest;

  private BudgetKubernetes(BudgetReport report) {
    this.report = report;
    rest = report.limitBytes().orElse(0) / MIB;
  }

  /**
   * {@return the lines of the document}
   *
   * @param isNext true if a document precedes it; a document has each key once
   */
  public static Answer of(BudgetReport report, boolean isNext) {
    return new BudgetKubernetes(report).document(isNext);
  }

  private Answer document(boolean isNext) {
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
    if (report.hasProcess()) {
      addParts();
      parts.forEach(part -> answer.line("#   %s", part));
      answer.line(
          """
          env:
            - name: JAVA_TOOL_OPTIONS
              value: "%s"\
          """,
          String.join(" ", flags));
    } else {
      answer.line(
          "# the heap is not included: measure it in the running service with stowage who PID --gc --output service.txt, and add --jvm service.txt");
    }
    long mebibytes = report.limitBytes().orElseThrow() / MIB;
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

  /** Adds the parts, which add up to the limit, and their flags. */
  private void addParts() {
    boolean isGiven = report.request().service().heapBytes().isPresent();
    for (BudgetPart part : report.parts()) {
      long mebibytes = Math.ceilDiv(part.bytes(), MIB);
      if (FLAGS.containsKey(part.name()) || part.name().contains("JVM")) {
        boolean isGivenHeap = isGiven && part.name().equals(BudgetPart.HEAP);
        add(
            part.name(),
            mebibytes,
            isGivenHeap ? "given" : "measured",
            FLAGS.getOrDefault(part.name(), ""));
      }
    }
    add(
        "inputs in direct buffers",
        Math.max(1, Math.ceilDiv(report.more().inputBytes(), MIB)),
        "measured",
        "-XX:MaxDirectMemorySize=%dm");
    add("engine, sessions and runs, with a margin", rest, "measured", "");
  }

  private void add(String name, long mebibytes, String how, String flag) {
    rest -= mebibytes;
    if (!flag.isEmpty()) {
      flags.add(Text.of(flag, mebibytes));
    }
    parts.add(Text.of("%6d MiB  %s (%s)", mebibytes, name, how));
  }
}
