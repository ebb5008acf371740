package dev.stowage.trace.pytorch;

/**
 * A frame of a stack.
 *
 * @param name the function; empty if the snapshot does not contain it
 * @param file the file; empty if the snapshot does not contain it
 * @param line the line, from 1; 0 if the snapshot does not contain it
 */
public record SnapshotFrame(String name, String file, long line) {

  private static final int LONGEST = 120;

  /** {@return true if the frame is a line of Python} */
  public boolean isPython() {
    return file.endsWith(".py") || file.startsWith("<");
  }

  /** {@return the frame as a text, such as {@code forward at model.py:12}} */
  public String text() {
    if (file.isEmpty()) {
      return start(name);
    }
    String place = line > 0 ? end(file) + ":" + line : end(file);
    return name.isEmpty() ? place : start(name) + " at " + place;
  }

  private static String start(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    boolean isHalf = Character.isHighSurrogate(text.charAt(LONGEST - 2));
    return text.substring(0, LONGEST - (isHalf ? 2 : 1)) + "…";
  }

  private static String end(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int from = text.length() - LONGEST + 1;
    return "…" + text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
  }
}
