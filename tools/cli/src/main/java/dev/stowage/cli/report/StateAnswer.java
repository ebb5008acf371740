package dev.stowage.cli.report;

import dev.stowage.cli.failure.ExplainedFailure;
import dev.stowage.cli.failure.FailureProgram;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
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
    HeldMemory memory = report.details().state().orElseThrow();
    Answer answer = new Answer().conclusion(report.input(), conclusion);
    if (memory.cachedBytes() > 0) {
      answer.line(
          "%ntorch.cuda.empty_cache() releases %s of the cached memory at once.",
          ByteUnit.human(memory.releasableBytes()));
      if (!report.allocator().settings().contains("expandable_segments:True")) {
        answer.line(
            "expandable_segments:True would reuse up to %s of it: also the whole pages in holes.",
            ByteUnit.human(memory.reusableBytes()));
      }
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
                    .field("reusable_bytes", memory.reusableBytes()))
        .line("%nTo record a history, also if an exception ends the step:");
    ExplainedFailure.recording(FailureProgram.PYTORCH).forEach(line -> answer.line("  %s", line));
    replay.csv().forEach(answer::csv);
    return answer;
  }
}
