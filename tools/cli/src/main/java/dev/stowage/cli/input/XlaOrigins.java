package dev.stowage.cli.input;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The operators and lines of code of instructions, from the text of a program: {@code
 * jvp()/dot_general train.py:12}.
 */
final class XlaOrigins {

  /*
   * An instruction has its operator, and either its line of code or the index of a frame in the tables at the start:
   *
   *   FileNames
   *   1 "/home/me/train.py"
   *
   *   FileLocations
   *   1 {file_name_id=1 function_name_id=1 line=12 end_line=12 column=4 end_column=9}
   *
   *   StackFrames
   *   1 {file_location_id=1 parent_frame_id=1}
   *
   *   ENTRY %main.1 (x.1: f32[8]) -> f32[8] {
   *     ROOT %mul.10 = f32[8]{0} multiply(%x.1, %x.1), metadata={op_name="jit(f)/mul" stack_frame_id=1}
   *
   * The metadata can follow on a line of their own. Instructions without metadata have no origin.
   */

  private static final String METADATA = "metadata={";
  private static final Pattern ENTRY = Pattern.compile("(\\d+) (?:\"(.*)\"|\\{.*)");
  private static final Pattern INSTRUCTION = Pattern.compile("\\s+(?:ROOT )?%?([^\\s=]+) = ");

  /** A field with a text, values in braces or a word. */
  private static final Pattern FIELD =
      Pattern.compile(
          "\\G[ ,]*([^=\"{} ,]+)=(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|\\{(?:[^{}]|\\{[^{}]*\\})*\\}|([^\"{} ,]*))");

  /** The function that JAX compiles, in which all operators of a program are. */
  private static final Pattern FUNCTION = Pattern.compile("^jit\\([^()]*\\)/");

  /** A line of code in the tables: the index of a file, and the line. */
  private record Location(String file, String line) {}

  private final Set<String> instructions;
  private final Map<String, String> files = new HashMap<>();
  private final Map<String, Location> locations = new HashMap<>();
  private final Map<String, String> frames = new HashMap<>();
  private final Map<String, String> origins = new HashMap<>();

  private XlaOrigins(Set<String> instructions) {
    this.instructions = instructions;
  }

  /**
   * {@return the origins of instructions that have one}
   *
   * @param instructions the names of the instructions
   */
  static Map<String, String> read(XlaLines lines, Set<String> instructions) throws IOException {
    XlaOrigins origins = new XlaOrigins(instructions);
    String table = "";
    String instruction = "";
    for (Optional<String> next = lines.next(); next.isPresent(); next = lines.next()) {
      String line = next.get();
      Matcher entry = ENTRY.matcher(line);
      Matcher begun = INSTRUCTION.matcher(line);
      if (entry.matches()) {
        origins.addEntry(table, entry, line);
      } else if (begun.lookingAt()) {
        instruction = begun.group(1);
        origins.addMetadata(instruction, line);
      } else if (line.startsWith(" ")) {
        origins.addMetadata(instruction, line);
      } else {
        table = line.strip();
      }
    }
    return origins.origins;
  }

  private void addEntry(String table, Matcher entry, String line) {
    String index = entry.group(1);
    Map<String, String> fields = fields(line, line.indexOf('{') + 1);
    switch (table) {
      case "FileNames" ->
          Optional.ofNullable(entry.group(2)).ifPresent(name -> files.put(index, name));
      case "FileLocations" ->
          locations.put(
              index,
              new Location(
                  fields.getOrDefault("file_name_id", ""), fields.getOrDefault("line", "")));
      case "StackFrames" -> frames.put(index, fields.getOrDefault("file_location_id", ""));
      default -> {}
    }
  }

  private void addMetadata(String instruction, String line) {
    int start = line.indexOf(" " + METADATA);
    if (start >= 0 && instructions.contains(instruction)) {
      Map<String, String> fields = fields(line, start + METADATA.length() + 1);
      String operator = FUNCTION.matcher(fields.getOrDefault("op_name", "")).replaceFirst("");
      String origin = (operator + " " + code(fields)).strip();
      if (!origin.isEmpty()) {
        origins.put(instruction, origin);
      }
    }
  }

  /** {@return the line of code: {@code train.py:12}; empty if it is not known} */
  private String code(Map<String, String> metadata) {
    String frame = frames.getOrDefault(metadata.getOrDefault("stack_frame_id", ""), "");
    Location location =
        locations.getOrDefault(frame, new Location("", metadata.getOrDefault("source_line", "")));
    String file = files.getOrDefault(location.file(), metadata.getOrDefault("source_file", ""));
    String name = file.substring(1 + Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')));
    boolean hasLine = !location.line().isEmpty() && !location.line().equals("0");
    return name.isEmpty() || !hasLine ? name : name + ":" + location.line();
  }

  /**
   * {@return the fields of a text such as {@code op_name="jit(f)/add" source_line=3}}, up to the
   * brace that closes them
   *
   * @param start the index behind the brace that opens them
   */
  private static Map<String, String> fields(String text, int start) {
    Map<String, String> fields = new HashMap<>();
    Matcher field = FIELD.matcher(text).region(start, text.length());
    while (field.find()) {
      String word = Objects.requireNonNullElse(field.group(3), "");
      String quoted = Objects.requireNonNullElse(field.group(2), word);
      // A backslash before a digit is a part of a byte.
      fields.put(field.group(1), quoted.replaceAll("\\\\([^0-9])", "$1"));
    }
    return fields;
  }
}
