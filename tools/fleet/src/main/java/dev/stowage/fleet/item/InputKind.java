package dev.stowage.fleet.item;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** The files of a folder that a command reads, by their names and first bytes. */
final class InputKind {

  /** The bytes at the start of a file that decide. */
  private static final int HEAD_BYTES = 4_096;

  private static final Pattern PROBLEM_CSV =
      Pattern.compile("\\A[^\\n]*\\blower\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern PROBLEM_JSON = Pattern.compile("\"records\"\\s*:\\s*\\[");

  /** Traces of Stowage and logs of RAPIDS Memory Manager, whose first line names the columns. */
  private static final Pattern TRACE_CSV =
      Pattern.compile("\\A[^\\n]*(\\bop\\b|\\bAction\\b)", Pattern.CASE_INSENSITIVE);

  /** A timeline of PyTorch's profiler, a dump of Vulkan Memory Allocator, a log of Umpire. */
  private static final Pattern TRACE_JSON =
      Pattern.compile("\\A\\s*(\\[\\s*\\[|\\{\\s*\"(General|Total|category|kind)\")");

  private static final List<String> MODELS = List.of(".tflite", ".onnx");

  /** The file of a dump of XLA that {@code plan} reads; the others are beside it. */
  private static final String DUMP = "-buffer-assignment.txt";

  private static final List<String> TRACES =
      List.of(".pickle", ".jfr", ".raw", ".replay", ".log", ".zip");

  private InputKind() {}

  /**
   * {@return true if a command reads a file}
   *
   * @param path the path
   * @param command the command
   * @param files the files
   * @throws IOException if the file cannot be read
   */
  static boolean isRead(String path, ItemCommand command, InputFiles files) throws IOException {
    String name = path.toLowerCase(Locale.ROOT);
    String unpacked = unpackedName(path);
    if (!command.readsTraces()) {
      return MODELS.stream().anyMatch(name::endsWith)
          || (command == ItemCommand.PLAN
              && (unpacked.endsWith(DUMP)
                  || (name.endsWith(".csv") && PROBLEM_CSV.matcher(head(path, files)).find())
                  || (name.endsWith(".json") && PROBLEM_JSON.matcher(head(path, files)).find())));
    }
    return TRACES.stream().anyMatch(unpacked::endsWith)
        || (unpacked.endsWith(".csv") && TRACE_CSV.matcher(head(path, files)).find())
        || (unpacked.endsWith(".json") && TRACE_JSON.matcher(head(path, files)).find());
  }

  /** {@return true if a file has a name that the command could read} */
  static boolean isCandidate(String path, ItemCommand command) {
    String unpacked = unpackedName(path);
    return command != ItemCommand.BUDGET
        && (unpacked.endsWith(".csv") || unpacked.endsWith(".json"));
  }

  /** {@return the name of a file in small letters, without the end {@code .gz}} */
  private static String unpackedName(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    return name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
  }

  private static String head(String path, InputFiles files) throws IOException {
    try (InputStream in = files.open(path)) {
      byte[] head = in.readNBytes(HEAD_BYTES);
      if (path.toLowerCase(Locale.ROOT).endsWith(".gz")) {
        return unpacked(head);
      }
      return new String(head, StandardCharsets.ISO_8859_1);
    }
  }

  /** {@return the first bytes of a file from its first compressed bytes, if they are valid} */
  private static String unpacked(byte[] head) {
    byte[] text = new byte[HEAD_BYTES];
    int count = 0;
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(head))) {
      int read = in.read(text);
      while (read > 0) {
        count += read;
        read = in.read(text, count, text.length - count);
      }
    } catch (IOException e) {
      // The compressed bytes end here, or are not valid.
    }
    return new String(text, 0, count, StandardCharsets.ISO_8859_1);
  }
}
