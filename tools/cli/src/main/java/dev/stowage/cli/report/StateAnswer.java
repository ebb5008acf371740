package dev.stowage.cli.report;

import dev.stowage.cli.failure.FailureProgram;
import dev.stowage.cli.failure.FailureRemedies;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.GrowthText;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.replay.HeldMemory;

/** The memory in a snapshot of PyTorch without a history. Programs get the figures of a replay. */
public final class StateAnswer {

  private StateAnswer() {}

  /**
   * {@return the answer for a recording with a state, or else for its history}
   *
   * @param conclusion the first sentences for people
   */
  public static Answer of(ReplayReport report, Conclusion conclusion) {
    Answer replay = ReplayAnswer.of(report, conclusion);
    if (report.details().state().isEmpty()) {
      return replay;
    }
    Answer answer = new Answer().conclusion(report.input(), conclusion);
    HeldMemory memory = report.details().state().orElseThrow();
    answer
        .fact("allocator", report.allocator().text(), "")
        .fact("reserved", ByteUnit.exact(memory.reservedBytes()), "")
        .fact("in use", ByteUnit.exact(memory.inUseBytes()), "");
    if (memory.cachedBytes() > 0) {
      addUses(memory, report.allocator().settings(), answer);
    }
    answer
        .all(replay.figures())
        .group(
            "state",
            group ->
                group
                    .field("in_use_bytes", memory.inUseBytes())
                    .field("cached_bytes", memory.cachedBytes())
                    .field("releasable_bytes", memory.releasableBytes())
                    .field("reusable_bytes", memory.reusableBytes())
                    .field("largest_request_bytes", memory.largestRequestBytes())
                    .field("largest_request_stream", memory.stream()))
        .line("%nTo record a history, also if an exception ends the step:");
    FailureRemedies.record(FailureProgram.PYTORCH).forEach(line -> answer.line("  %s", line));
    replay.csv().forEach(answer::csv);
    return answer;
  }

  private static void addUses(HeldMemory memory, String settings, Answer answer) {
    answer
        .line("")
        .fact(
            "released by empty_cache()",
            ByteUnit.exact(memory.releasableBytes()),
            Text.of(
                "torch.cuda.empty_cache() releases %s of the cached memory at once.",
                GrowthText.bytes(memory.releasableBytes())));
    if (!settings.contains("expandable_segments:True")) {
      answer.line(
          "expandable_segments:True would reuse up to %s of it: also the whole pages in holes.",
          GrowthText.bytes(memory.reusableBytes()));
    }
    answer.fact(
        "largest request without the driver",
        ByteUnit.exact(memory.largestRequestBytes()),
        Text.of(
            memory.stream() == 0
                ? "The largest request that needs no memory from the driver: %s."
                : "The largest request that needs no memory from the driver: %s, on stream %s.",
            GrowthText.bytes(memory.largestRequestBytes()),
            Long.toUnsignedString(memory.stream())));
  }
}
