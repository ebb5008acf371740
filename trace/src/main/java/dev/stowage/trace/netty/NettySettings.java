package dev.stowage.trace.netty;

import dev.stowage.trace.format.RecordedProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings of Netty's allocators, as arguments of {@code java} spell them.
 *
 * <p>They include facts about the machine from which Netty derives its defaults: the number of
 * processors and the sizes of the heap and of direct memory. Immutable.
 */
public final class NettySettings {

  private static final String PREFIX = "-Dio.netty.allocator.";
  private static final String TYPE = PREFIX + "type";
  private static final String USUAL_TYPE = "adaptive";
  private static final Set<String> TYPES = Set.of(USUAL_TYPE, "pooled", "unpooled");
  private static final String DIRECT = "-XX:MaxDirectMemorySize";

  /** Netty's own limit, which replaces that of the virtual machine. */
  private static final String OWN_LIMIT = "-Dio.netty.maxDirectMemory";

  private static final Pattern ARGUMENT =
      Pattern.compile(
          "(?:(?:-D)?(io\\.netty\\.[\\w.-]+)=(\\S+)|(-Xmx|-XX:MaxDirectMemorySize=)(\\d+[kKmMgG]?))");

  /** The given values by their names. */
  private final SortedMap<String, String> values;

  private NettySettings(Map<String, String> values) {
    this.values = new TreeMap<>(values);
  }

  /** {@return the settings of a program without arguments} */
  public static NettySettings defaults() {
    return new NettySettings(Map.of());
  }

  /**
   * {@return the settings in a text, such as {@code -Dio.netty.allocator.type=pooled
   * -Dio.netty.allocator.maxOrder=7}}
   *
   * <p>The last of several values counts. Netty itself replaces values that it rejects.
   *
   * @param text the arguments, separated by blanks
   * @throws IllegalArgumentException if the text has anything else than settings of Netty and sizes
   *     of memory, or another type of allocators
   */
  public static NettySettings parse(String text) {
    Map<String, String> values = new TreeMap<>();
    for (String word : text.strip().split("\\s+", -1)) {
      Matcher argument = ARGUMENT.matcher(word);
      if (argument.matches()) {
        boolean isProperty = argument.group(1) != null;
        values.put(
            isProperty ? "-D" + argument.group(1) : argument.group(3).replace("=", ""),
            argument.group(isProperty ? 2 : 4));
      } else if (!word.isEmpty()) {
        throw new IllegalArgumentException(
            "'" + word + "' is not a setting of Netty, expected one such as " + TYPE + "=pooled");
      }
    }
    String type = values.getOrDefault(TYPE, USUAL_TYPE);
    if (!TYPES.contains(type)) {
      throw new IllegalArgumentException(
          TYPE.substring(2) + " is '" + type + "', expected adaptive, pooled or unpooled");
    }
    return new NettySettings(values);
  }

  /**
   * {@return the settings of a recorded program}
   *
   * @param program the program
   */
  public static NettySettings recorded(RecordedProgram program) {
    return parse(program.settings());
  }

  /**
   * {@return true if a text assigns a setting of Netty, which settings of other allocators do not}
   *
   * @param text the settings
   */
  public static boolean isAssignedIn(String text) {
    return text.contains("io.netty.");
  }

  /**
   * {@return these settings with all others of a recording, such as the size of the heap}
   *
   * @param recorded the settings of a recording, of which those of allocators are left out
   */
  public NettySettings onMachineOf(NettySettings recorded) {
    Map<String, String> all = new TreeMap<>(recorded.values);
    all.keySet().removeIf(NettySettings::isOfAllocator);
    all.putAll(values);
    all.putIfAbsent(TYPE, USUAL_TYPE);
    return new NettySettings(all);
  }

  private static boolean isOfAllocator(String name) {
    return name.startsWith(PREFIX);
  }

  /**
   * {@return these settings with another value}
   *
   * @param name the name after {@code io.netty.allocator.}
   * @param value the value
   */
  public NettySettings with(String name, Object value) {
    return withValue(PREFIX + name, value.toString());
  }

  /**
   * {@return these settings with a limit of direct memory}
   *
   * @param bytes the limit
   */
  public NettySettings withLimit(long bytes) {
    Map<String, String> all = new TreeMap<>(values);
    all.remove(OWN_LIMIT);
    return new NettySettings(all).withValue(DIRECT, Long.toString(bytes));
  }

  private NettySettings withValue(String name, String value) {
    Map<String, String> all = new TreeMap<>(values);
    all.put(name, value);
    return new NettySettings(all);
  }

  /**
   * {@return the names of the properties of allocators, such as {@code io.netty.allocator.type}}
   */
  public List<String> properties() {
    return values.keySet().stream()
        .filter(NettySettings::isOfAllocator)
        .map(name -> name.substring(2))
        .toList();
  }

  /** {@return the number of settings of allocators that are given, without the usual type} */
  public int count() {
    return words().size();
  }

  /** {@return all arguments of a program with these settings, also those of its machine} */
  public List<String> arguments() {
    return values.entrySet().stream().map(NettySettings::argument).toList();
  }

  private static String argument(Map.Entry<String, String> value) {
    return value.getKey() + (value.getKey().startsWith("-Xmx") ? "" : "=") + value.getValue();
  }

  /** {@return the arguments that give a program these settings, whatever the defaults are} */
  public String paste() {
    return isUsualType() ? (TYPE + "=" + USUAL_TYPE + " " + this).strip() : toString();
  }

  private boolean isUsualType() {
    return values.getOrDefault(TYPE, USUAL_TYPE).equals(USUAL_TYPE);
  }

  private List<String> words() {
    List<String> words = new ArrayList<>();
    if (!isUsualType()) {
      words.add(TYPE + "=" + values.get(TYPE));
    }
    values.entrySet().stream()
        .filter(value -> isOfAllocator(value.getKey()) && !value.getKey().equals(TYPE))
        .map(NettySettings::argument)
        .forEach(words::add);
    return words;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NettySettings that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(values);
  }

  /** {@return the settings of allocators that differ from the defaults as arguments} */
  @Override
  public String toString() {
    return words().stream().collect(Collectors.joining(" "));
  }
}
