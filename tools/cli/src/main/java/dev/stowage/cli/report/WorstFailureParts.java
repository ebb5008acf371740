package dev.stowage.cli.report;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.Hole;
import dev.stowage.trace.explain.WorstFailure;
import dev.stowage.trace.explain.WorstFailure.FreeMemory;
import java.util.OptionalLong;

/** A request that failed, and the free memory then. */
final class WorstFailureParts {

  private static final int MAX_FRAMES = 8;
  private static final int MAX_HOLES = 5;

  private WorstFailureParts() {}

  /**
   * Adds a failure.
   *
   * @param firstFailureEvent the number of the failed event with a reason in the answer already
   */
  static void add(WorstFailure failure, OptionalLong firstFailureEvent, Answer answer) {
    answer
        .field("event", failure.event())
        .field("bytes", failure.request().bytes())
        .field("stream", failure.request().stream())
        .field("tag", failure.request().tag())
        .field("frames", Figure.texts(failure.request().frames()))
        .field("verdict", failure.verdict().word())
        .field("reason", failure.reason())
        .facts(request(failure));
    if (firstFailureEvent.orElse(-1) != failure.event()) {
      answer.line("  %s", lines(failure.reason()));
    }
    add(failure.free(), answer);
  }

  private static Facts request(WorstFailure failure) {
    Facts request =
        new Facts(
            Text.of(
                "WORST FAILURE, %s: %s on stream %s",
                EventText.text(failure.event()),
                ByteUnit.exact(failure.request().bytes()),
                Long.toUnsignedString(failure.request().stream())));
    if (!failure.request().tag().isEmpty()) {
      request.row("", "tag " + failure.request().tag());
    }
    BlockRows.addFrames(failure.request().frames(), MAX_FRAMES, "", request);
    return request;
  }

  private static void add(FreeMemory free, Answer answer) {
    answer
        .field("free_bytes", free.bytes())
        .field("hole_count", free.holeCount())
        .groups("holes", free.holes(), WorstFailureParts::add)
        .line(
            "  %s free in %s",
            ByteUnit.exact(free.bytes()), Numbers.count(free.holeCount(), "hole"));
    if (!free.holes().isEmpty()) {
      Facts holes = new Facts("LARGEST HOLES", "bytes", "region", "offset", "event");
      free.holes().stream().limit(MAX_HOLES).forEach(hole -> addRows(hole, holes));
      answer.facts(holes);
    }
  }

  private static void add(Hole hole, Answer answer) {
    answer
        .field("region", hole.region())
        .field("offset", hole.offset())
        .field("bytes", hole.bytes())
        .field("owner", hole.owner());
    hole.below().ifPresent(block -> answer.group("below", group -> BlockRows.add(block, group)));
    hole.above().ifPresent(block -> answer.group("above", group -> BlockRows.add(block, group)));
  }

  private static void addRows(Hole hole, Facts holes) {
    holes.row(
        "",
        hole.owner().isEmpty() ? "hole" : "hole of " + hole.owner(),
        Figure.bytes(hole.bytes()),
        Figure.count(hole.region()),
        Figure.count(hole.offset()));
    Figure[] none = {Figure.none(), Figure.none()};
    hole.below().ifPresent(block -> BlockRows.add("  below: ", block, holes, none));
    hole.above().ifPresent(block -> BlockRows.add("  above: ", block, holes, none));
  }

  /** {@return the sentences of a reason on lines of their own} */
  static String lines(String reason) {
    return reason.replaceAll("(memory:|\\.) ", "$1\n  ");
  }
}
