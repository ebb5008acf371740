package dev.stowage.cli.conclusion;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.GrowthText;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.HolderGroup;
import dev.stowage.trace.explain.Holders;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.HeldMemory;
import java.util.Optional;

/** The conclusion of {@code stowage replay} on a snapshot without a history. */
final class StateConclusion {

  private StateConclusion() {}

  /** {@return the conclusion on a report with a state} */
  static Conclusion of(ReplayReport report) {
    HeldMemory memory = report.details().state().orElseThrow();
    return new Conclusion(
        ByteUnit.human(memory.reservedBytes()),
        memory.reservedBytes() == 0
            ? "PyTorch held no memory when the snapshot was taken."
            : held(memory, report),
        "The snapshot has no history, so that it shows this moment only.",
        Optional.empty());
  }

  private static String held(HeldMemory memory, ReplayReport report) {
    boolean isRecorded =
        report.summary().recorded().map(RecordedState::reservedBytes).orElse(0L)
            == memory.reservedBytes();
    return Text.of(
        "PyTorch %s %s%s %s: %s in use, %s cached%s.",
        isRecorded ? "held" : "would hold",
        GrowthText.bytes(memory.reservedBytes()),
        memory.reservedBytes() < 1024
            ? ""
            : " (" + Numbers.grouped(memory.reservedBytes()) + " bytes)",
        isRecorded ? "when the snapshot was taken" : "after torch.cuda.empty_cache()",
        GrowthText.bytes(memory.inUseBytes()),
        GrowthText.bytes(memory.cachedBytes()),
        report
            .details()
            .explanation()
            .map(explanation -> explanation.holders().get(Grouping.LINE))
            .map(StateConclusion::most)
            .orElse(""));
  }

  /** {@return the line that holds the most; empty if no block has a stack} */
  private static String most(Holders holders) {
    Optional<HolderGroup> most =
        holders.groups().stream()
            .filter(group -> !group.key().equals(Grouping.NO_STACK))
            .findFirst();
    if (most.isEmpty()) {
      return "";
    }
    return Text.of(
        "; %s %s (%s)",
        most.get().bytes() > holders.bytes() / 2
            ? "most is held by"
            : "the largest part with a call stack is held by",
        most.get().key(),
        GrowthText.bytes(most.get().bytes()));
  }
}
