package dev.stowage.cli.failure;

import dev.stowage.trace.format.ColourCodes;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * The lines of a text, without the parts that terminals, loggers and editors add. Memory is
 * bounded: the object keeps some lines after the current line, and cuts lines that are too long.
 */
public final class FailureLines {

  private static final int MAX_LINE_CHARS = 1 << 14;
  private static final int MAX_AHEAD = 96;

  /** The longest words that may start in one line and end in the next one. */
  private static final int MAX_MARK_CHARS = 64;

  /** Quotes of Markdown, ranks of torchrun, and the prefixes of compose, Kubernetes and Ray. */
  private static final Pattern PREFIX =
      Pattern.compile(
          "^(?: ?> ?|\\[rank\\d+\\]: ?|[\\w./-]{1,64} +\\| "
              + "|\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-][\\d:]+) (?:[\\w./-]{1,64} )?(?:stdout|stderr) [FP](?: |$)"
              + "|\\(\\w+ pid=\\d+[^)]*\\) ?)+");

  private static final Pattern BLANKS = Pattern.compile("[\\p{Z}\\p{Cc}`\u200B]+");

  private final Reader reader;
  private final Deque<String> ahead = new ArrayDeque<>();
  private final StringBuilder raw = new StringBuilder();
  private String line = "";
  private String pair = "";
  private long characters;
  private long number;
  private boolean isEnd;

  /**
   * Creates the lines of a text.
   *
   * @param in UTF-8, or UTF-16 with a byte order mark; may be compressed with gzip
   */
  public FailureLines(InputStream in) throws IOException {
    BufferedInputStream bytes = new BufferedInputStream(in, 1 << 16);
    InputStream unpacked =
        isStart(bytes, 0x1f, 0x8b)
            ? new BufferedInputStream(new GZIPInputStream(bytes, 1 << 16), 1 << 16)
            : bytes;
    reader =
        new BufferedReader(
            new InputStreamReader(unpacked, charset((BufferedInputStream) unpacked)));
  }

  private static boolean isStart(BufferedInputStream bytes, int first, int second)
      throws IOException {
    bytes.mark(2);
    boolean isStart = bytes.read() == first && bytes.read() == second;
    bytes.reset();
    return isStart;
  }

  private static Charset charset(BufferedInputStream bytes) throws IOException {
    return isStart(bytes, 0xff, 0xfe) || isStart(bytes, 0xfe, 0xff)
        ? StandardCharsets.UTF_16
        : StandardCharsets.UTF_8;
  }

  /**
   * Moves to the next line that is not blank.
   *
   * @return false if there is none
   */
  public boolean next() throws IOException {
    fill();
    if (ahead.isEmpty()) {
      return false;
    }
    line = ahead.removeFirst();
    number++;
    fill();
    String following = ahead.isEmpty() ? "" : ahead.getFirst();
    pair = line + " " + following.substring(0, Math.min(following.length(), MAX_MARK_CHARS));
    characters = Mark.characters(pair);
    return true;
  }

  private void fill() throws IOException {
    while (!isEnd && ahead.size() < MAX_AHEAD) {
      readLine();
    }
  }

  private void readLine() throws IOException {
    raw.setLength(0);
    int next = reader.read();
    // A long line ends between two words.
    while (next >= 0
        && next != '\n'
        && next != '\r'
        && (raw.length() < MAX_LINE_CHARS / 2 || next != ' ')) {
      raw.append((char) next);
      next = raw.length() < MAX_LINE_CHARS ? reader.read() : '\n';
    }
    isEnd = next < 0;
    String clean = clean(raw.toString());
    if (!clean.isEmpty()) {
      ahead.addLast(clean);
    }
  }

  /** {@return a line without colours, quotes and prefixes, and with single blanks} */
  private static String clean(String text) {
    String clean = ColourCodes.removedFrom(text);
    if (clean.indexOf('\\') >= 0) { // line breaks and quotes of texts in JSON
      clean = clean.replace("\\n", " ").replace("\\t", " ").replace("\\\"", "\"");
    }
    clean = PREFIX.matcher(clean).replaceFirst("");
    return BLANKS.matcher(clean).replaceAll(" ").strip();
  }

  /** {@return the number of the current line, from 1; blank lines are not counted} */
  long number() {
    return number;
  }

  /** {@return the index in the current line where the words of a mark start; -1 if they do not} */
  int indexOf(Mark mark) {
    int start = mark.isPossible(characters) ? pair.indexOf(mark.words()) : -1;
    return start < line.length() ? start : -1;
  }

  /**
   * {@return the current line from an index on and some lines after it, joined by blanks}
   *
   * @param lineCount the number of lines, at least 1
   */
  public String text(int start, int lineCount) {
    StringBuilder text = new StringBuilder(line.substring(Math.max(0, start)));
    Iterator<String> following = ahead.iterator();
    for (int i = 1; i < lineCount && following.hasNext(); i++) {
      text.append(' ').append(following.next());
    }
    return text.toString();
  }
}
