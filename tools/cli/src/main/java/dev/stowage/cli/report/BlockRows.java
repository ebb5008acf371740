package dev.stowage.cli.report;

import dev.stowage.trace.explain.BlockOwner;
import java.util.List;
import java.util.stream.Stream;

/** Blocks in use and the frames of stacks. */
final class BlockRows {

  private BlockRows() {}

  /** Adds the figures of a block for programs. */
  static void add(BlockOwner block, Answer answer) {
    answer
        .field("event", block.event())
        .field("bytes", block.bytes())
        .field("stream", block.stream())
        .field("tag", block.tag())
        .field("line", block.line())
        .field("frames", Figure.texts(block.frames()));
  }

  /**
   * Adds a row for a block: its line, its bytes, other figures and its event. A block that is older
   * than the recording has no event.
   */
  static void add(String before, BlockOwner block, Facts rows, Figure... others) {
    rows.row(
        "",
        before + block.line(),
        Stream.of(
                Stream.of(Figure.bytes(block.bytes())),
                Stream.of(others),
                Stream.of(block.event() == 0 ? Figure.none() : Figure.count(block.event())))
            .flatMap(figures -> figures)
            .toArray(Figure[]::new));
  }

  /** Adds a row for each frame. */
  static void addFrames(List<String> frames, int most, String indent, Facts rows) {
    frames.stream().limit(most).forEach(frame -> rows.row("", indent + frame));
  }
}
