package dev.stowage.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints the sentences of a folder with the most relative clauses. A noun is often clearer.
 *
 * <p>The sentences come from comments and string literals of main Java sources, and from Markdown
 * files without their code. The words that, which, whose, who, where and "those of" count.
 */
public final class HardSentences {

  private static final Pattern CLAUSE =
      Pattern.compile(
          "\\b(?:those of|which|(?<!so )that|whose|who|where)\\b", Pattern.CASE_INSENSITIVE);

  private static final String STRING = "\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\"";

  /** The comments and strings of a Java source; a character may be a quote. */
  private static final Pattern JAVA =
      Pattern.compile(
          "'\\\\?.'|(/\\*(?s:.*?)\\*/|//[^\n]*(?:\n *//[^\n]*)*+|\"\"\"(?s:.*?)\"\"\"|"
              + STRING
              + "(?:\\s*+\\+\\s*+"
              + STRING
              + ")*+)");

  /** The marks around and inside a comment or a string. */
  private static final Pattern JAVA_MARKS =
      Pattern.compile("^/\\*+| *\\*/$|(?m:^ *(?:\\*|//) ?)|\"\"\"|\"\\s*\\+\\s*\"|^\"|\"$");

  private static final Pattern CODE = Pattern.compile("(?m)^```(?s:.*?)^```|<pre>(?s:.*?)</pre>");

  /** Code and links inside a sentence. */
  private static final Pattern NAMES =
      Pattern.compile("`[^`]*`|\\{@(?:code|link) [^}]*}|\\]\\([^)]*\\)");

  /** The end of a sentence, and the starts of paragraphs, list items, cells and tags. */
  private static final Pattern BOUNDARY =
      Pattern.compile(
          "(?<=[.!?])(?=\\s)|\n\\s*\n|\n(?=\\s*(?:[-*#>|] ?|[0-9]+\\. ))|\\|"
              + "|<(?:p|li|h[1-6]|table|tr|td|dt|dd)>|@(?:param|return|throws)\\b");

  /** A sentence on one line, and the line of its start, from 1. */
  private record Sentence(Path file, long line, String text) {

    long clauses() {
      return CLAUSE.matcher(NAMES.matcher(text).replaceAll("")).results().count();
    }

    @Override
    public String toString() {
      return file + ":" + line + ": " + clauses() + ": " + text;
    }
  }

  private HardSentences() {}

  /**
   * Prints the worst sentences of each folder.
   *
   * @param arguments how many sentences, and the folders or files
   */
  public static void main(String... arguments) throws IOException {
    int count = Integer.parseInt(arguments[0]);
    for (String folder : List.of(arguments).subList(1, arguments.length)) {
      List<Sentence> sentences = new ArrayList<>();
      for (Path file : files(Path.of(folder))) {
        addSentences(file, sentences);
      }
      long clauses = sentences.stream().mapToLong(Sentence::clauses).sum();
      System.out.println(
          folder + ": " + clauses + " relative clauses in " + sentences.size() + " sentences");
      sentences.stream()
          .sorted(
              Comparator.comparingLong(Sentence::clauses)
                  .thenComparingInt(sentence -> sentence.text().length())
                  .reversed())
          .limit(count)
          .forEach(System.out::println);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().matches("(.*/src/main/.*\\.java|.*\\.md)"))
          .filter(file -> !file.toString().contains("/target/"))
          .sorted()
          .toList();
    }
  }

  private static void addSentences(Path file, List<Sentence> sentences) throws IOException {
    String source = Files.readString(file);
    if (file.toString().endsWith(".md")) {
      addSentences(file, 1, blank(CODE, source), sentences);
      return;
    }
    for (MatchResult text : JAVA.matcher(source).results().toList()) {
      if (text.group(1) != null) {
        String prose = blank(JAVA_MARKS, blank(CODE, text.group(1)));
        addSentences(file, 1 + lineEnds(source, text.start()), prose, sentences);
      }
    }
  }

  /**
   * {@return a text with only the line ends of each match, so that the lines keep their numbers}
   */
  private static String blank(Pattern pattern, String text) {
    return pattern.matcher(text).replaceAll(match -> match.group().replaceAll("[^\n]+", ""));
  }

  /** {@return the number of line ends before a position of a text} */
  private static long lineEnds(String text, int end) {
    return text.chars().limit(end).filter(character -> character == '\n').count();
  }

  private static void addSentences(
      Path file, long firstLine, String text, List<Sentence> sentences) {
    Matcher boundary = BOUNDARY.matcher(text);
    int start = 0;
    while (start < text.length()) {
      int end = boundary.find() ? boundary.start() : text.length();
      String sentence = text.substring(start, end);
      if (!sentence.isBlank()) {
        int indentation = sentence.length() - sentence.stripLeading().length();
        long line = firstLine + lineEnds(text, start + indentation);
        sentences.add(new Sentence(file, line, sentence.strip().replaceAll("\\s+", " ")));
      }
      start = end == text.length() ? end : boundary.end();
    }
  }
}
