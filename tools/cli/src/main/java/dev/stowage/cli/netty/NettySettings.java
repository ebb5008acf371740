package dev.stowage.cli.netty;

import dev.stowage.trace.format.RecordedProgram;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings of Netty's allocators, as arguments of {@code java} spell them.
 *
 * <p>They include facts about the machine: the number of processors, and the sizes of the heap and
 * of direct memory. Netty derives its defaults from these facts.
 *
 * @param values the given values by the starts of their arguments, such as {@code -Xmx}
 */
public record NettySettings(SortedMap<String, String> values) {

  private static final String PREFIX = "-Dio.netty.allocator.";
  private static final String TYPE = PREFIX + "type=";
  private static final String USUAL_TYPE = "adaptive";
  private static final Set<String> TYPES = Set.of(USUAL_TYPE, "pooled", "unpooled");

  /** The start of an argument, and its value. */
  private static final Pattern ARGUMENT =
      Pattern.compile(
          "(-Dio\\.netty\\.[\\w.-]+=|(?:-Xmx|-XX:MaxDirectMemorySize=)(?=\\d+[kKmMgG]?$))(\\S+)");

  /**
   * {@return the settings in a text, such as {@code -Dio.netty.allocator.type=pooled
   * -Dio.netty.allocator.maxOrder=7}}
   *
   * <p>If a setting has several values, the last value counts. Netty itself replaces values that it
   * rejects.
   *
   * @param text the arguments, separated by blanks
   * @throws IllegalArgumentException if the text has words other than settings of Netty and sizes
   *     of memory, or an unknown type of allocators
   */
  public static NettySettings parse(String text) {
    SortedMap<String, String> values = new TreeMap<>();
    for (String word : text.strip().split("\\s+", -1)) {
      Matcher argument = ARGUMENT.matcher(word.startsWith("io.netty.") ? "-D" + word : word);
      if (argument.matches()) {
        values.put(argument.group(1), argument.group(2));
      } else if (!word.isEmpty()) {
        throw new IllegalArgumentException(
            "'" + word + "' is not a setting of Netty, expected one such as " + TYPE + "pooled");
      }
    }
    String type = values.computeIfAbsent(TYPE, _ -> USUAL_TYPE);
    if (!TYPES.contains(type)) {
      throw new IllegalArgumentException(
          "io.netty.allocator.type is '" + type + "', expected adaptive, pooled or unpooled");
    }
    return new NettySettings(values);
  }

  static NettySettings recorded(RecordedProgram program) {
    return parse(program.settings());
  }

  /** {@return these settings with all others of a program, such as the size of its heap} */
  NettySettings onMachineOf(RecordedProgram program) {
    SortedMap<String, String> all = new TreeMap<>(recorded(program).values);
    all.keySet().removeIf(name -> name.startsWith(PREFIX));
    all.putAll(values);
    return new NettySettings(all);
  }

  /** {@return these settings with a limit of direct memory; it replaces Netty's own limit} */
  NettySettings withLimit(long bytes) {
    SortedMap<String, String> all = new TreeMap<>(values);
    all.remove("-Dio.netty.maxDirectMemory=");
    all.put("-XX:MaxDirectMemorySize=", Long.toString(bytes));
    return new NettySettings(all);
  }

  /**
   * {@return the names of the properties of allocators, such as {@code io.netty.allocator.type}}
   */
  List<String> properties() {
    return values.keySet().stream()
        .filter(name -> name.startsWith(PREFIX))
        .map(name -> name.substring(2, name.length() - 1))
        .toList();
  }

  /** {@return all arguments of a program with these settings, also for its machine} */
  List<String> arguments() {
    return values.keySet().stream().map(name -> name + values.get(name)).toList();
  }

  /** {@return the number of settings that differ from the defaults} */
  int changes() {
    return properties().size() - (USUAL_TYPE.equals(values.get(TYPE)) ? 1 : 0);
  }

  /** {@return the arguments that give a program these settings, whatever the defaults are} */
  String paste() {
    return arguments().stream()
        .filter(each -> each.startsWith(PREFIX))
        .sorted(Comparator.comparing(each -> !each.startsWith(TYPE)))
        .collect(Collectors.joining(" "));
  }

  /** {@return the settings of allocators that differ from the defaults as arguments} */
  @Override
  public String toString() {
    return paste().replace(TYPE + USUAL_TYPE, "").strip();
  }
}
