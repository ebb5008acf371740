package dev.stowage.cli.conclusion;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.HeldMemory;
import java.util.Optional;
import java.util.stream.Stream;

/** The conclusion of {@code stowage replay} on a snapshot without a history. */
final class StateConclusion {

  private StateConclusion() {}

  /** {@return the conclusion on a report with a state} */
  static Conclusion of(ReplayReport report) {
    HeldMemory memory = report.details().state().orElseThrow();
    boolean isRecorded =
        report.summary().recorded().map(RecordedState::reservedBytes).orElse(0L)
            == memory.reservedBytes();
    return new Conclusion(
        ByteUnit.human(memory.reservedBytes()),
        Text.of(
            "PyTorch %s %s %s: %s in use, %s cached%s.",
            isRecorded ? "held" : "would hold",
            ByteUnit.sentence(memory.reservedBytes()),
            isRecorded ? "when the snapshot was taken" : "after torch.cuda.empty_cache()",
            ByteUnit.human(memory.inUseBytes()),
            ByteUnit.human(memory.cachedBytes()),
            largestHolder(report)),
        "The snapshot has no history, so that it shows this moment only.",
        Optional.empty());
  }

  /** {@return the line that holds the most; empty if no block has a stack} */
  private static String largestHolder(ReplayReport report) {
    return report.details().explanation().stream()
        .flatMap(explanation -> Stream.ofNullable(explanation.holders().get(Grouping.LINE)))
        .flatMap(lines -> lines.groups().stream())
        .filter(group -> !group.key().equals(Grouping.NO_STACK))
        .findFirst()
        .map(group -> Text.of("; %s holds %s", group.key(), ByteUnit.human(group.bytes())))
        .orElse("");
  }
}
