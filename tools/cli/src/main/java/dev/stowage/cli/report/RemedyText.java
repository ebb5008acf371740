package dev.stowage.cli.report;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.plan.OptionEffect;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.explain.LoadPeak;
import dev.stowage.plan.explain.LoadPeak.TaskRange;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Sentences on the peaks of the live bytes, and on the options that lower the arena. */
final class RemedyText {

  /** The number of ranges of tasks that a sentence names. */
  private static final int MAX_RANGES = 8;

  private final InputFile file;

  private RemedyText(InputFile file) {
    this.file = file;
  }

  /** {@return the sentences; none if no byte is ever live} */
  static List<String> of(Explanation explanation, InputFile file) {
    RemedyText text = new RemedyText(file);
    List<String> sentences = new ArrayList<>();
    if (explanation.peak().bytes() > 0) {
      sentences.add(
          Text.of(
              "Peak: %s live at %s.",
              ByteUnit.exact(explanation.peak().bytes()), text.tasks(explanation.peak())));
    }
    for (OptionEffect effect : explanation.effects()) {
      sentences.add(effect(effect));
    }
    return sentences;
  }

  /** {@return the tasks of a peak: {@code CONV_2D 3, CONV_2D 7 to ADD 9 and 12 more}} */
  private String tasks(LoadPeak peak) {
    int more = peak.tasks().size() - MAX_RANGES;
    return peak.tasks().stream()
            .limit(MAX_RANGES)
            .map(this::range)
            .collect(Collectors.joining(", "))
        + (more > 0 ? " and " + Numbers.grouped(more) + " more" : "");
  }

  private String range(TaskRange range) {
    String first = file.nameOf(range.firstTask());
    return range.firstTask() == range.lastTask()
        ? first
        : first + " to " + file.cell(range.lastTask());
  }

  private static String effect(OptionEffect effect) {
    String bytes = ByteUnit.exact(effect.totalBytes());
    if (effect.isUsed()) {
      return Text.of("%s: in use; %s without it (%s)", effect.option(), bytes, change(effect));
    }
    return effect.totalBytes() < effect.baseBytes()
        ? Text.of("%s: %s (%s)", effect.option(), bytes, change(effect))
        : effect.option()
            + (effect.lowerBoundBytes() >= effect.baseBytes()
                ? ": no smaller arena (proved)"
                : ": no smaller arena was found");
  }

  private static String change(OptionEffect effect) {
    long moreBytes = effect.totalBytes() - effect.baseBytes();
    return (moreBytes < 0 ? "-" : "+") + Numbers.percent(Math.abs(moreBytes), effect.baseBytes());
  }
}
