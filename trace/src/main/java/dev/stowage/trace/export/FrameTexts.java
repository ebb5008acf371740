package dev.stowage.trace.export;

import dev.stowage.trace.pytorch.SnapshotFrame;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The frames of texts such as {@code forward at model.py:12}; equal stacks are the same list. */
final class FrameTexts {

  private static final int MAX_STACKS = 1 << 14;

  private static final int MAX_DIGITS = 9;

  private final Map<List<String>, List<SnapshotFrame>> known = new HashMap<>();

  /** {@return the frames of texts, in the same order} */
  List<SnapshotFrame> frames(List<String> texts) {
    if (texts.isEmpty()) {
      return List.of();
    }
    List<SnapshotFrame> frames = known.get(texts);
    if (frames == null) {
      frames = texts.stream().map(FrameTexts::frame).toList();
      if (known.size() < MAX_STACKS) {
        known.put(texts, frames);
      }
    }
    return frames;
  }

  /** {@return the frame of a text; a text in another form becomes the name} */
  static SnapshotFrame frame(String text) {
    int at = text.lastIndexOf(" at ");
    int colon = text.lastIndexOf(':');
    if (at > 0 && colon > at + 4 && isNumber(text.substring(colon + 1))) {
      return new SnapshotFrame(
          text.substring(0, at),
          text.substring(at + 4, colon),
          Integer.parseInt(text.substring(colon + 1)));
    }
    return new SnapshotFrame(text, "", 0);
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_DIGITS
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
