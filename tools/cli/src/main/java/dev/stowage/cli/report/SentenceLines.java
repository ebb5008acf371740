package dev.stowage.cli.report;

import java.util.ArrayList;
import java.util.List;

/** Sentences in lines of a width. */
final class SentenceLines {

  private SentenceLines() {}

  /** {@return a sentence in lines; longer words have a line of their own} */
  static List<String> of(String sentence, int width) {
    List<String> lines = new ArrayList<>();
    for (String word : sentence.split(" ", -1)) {
      String last = lines.isEmpty() ? "" : lines.getLast();
      if (!last.isEmpty() && last.length() + 1 + word.length() <= width) {
        lines.set(lines.size() - 1, last + " " + word);
      } else {
        lines.add(word);
      }
    }
    return lines;
  }
}
