package dev.stowage.trace.netty;

import dev.stowage.trace.format.RecordedProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of Netty's allocators, as arguments of {@code java} spell them.
 *
 * <p>They include facts about the machine from which Netty derives its defaults: the number of
 * processors and the sizes of the heap and of direct memory. Immutable.
 */
public final class NettySettings {

  private static final String PREFIX = "io.netty.allocator.";
  private static final String TYPE = PREFIX + "type";
  private static final String PROCESSORS = "io.netty.availableProcessors";
  private static final String HEAP = "-Xmx";
  private static final String DIRECT = "-XX:MaxDirectMemorySize";

  private static final Set<String> FACTS = Set.of(PROCESSORS, HEAP, DIRECT);

  private static final String USUAL_TYPE = "adaptive";
  private static final Set<String> TYPES = Set.of(USUAL_TYPE, "pooled", "unpooled");

  /** The settings of the adaptive allocator. */
  private static final Set<String> ADAPTIVE =
      Set.of(
          "lowMemory",
          "chunkReuseQueueCapacity",
          "chunkPurgePollsThreadLocal",
          "chunkPurgePollsShared",
          "chunkPurgeThreshold",
          "threadLocalChunkCacheMaxBytes",
          "threadLocalChunkCacheMinBytes");

  /** The settings of the pooled allocator. */
  private static final Set<String> POOLED =
      Set.of(
          "pageSize",
          "maxOrder",
          "numDirectArenas",
          "smallCacheSize",
          "normalCacheSize",
          "maxCachedBufferCapacity",
          "cacheTrimInterval",
          "useCacheForAllThreads");

  private static final Pattern ASSIGNMENT =
      Pattern.compile("(?:-D)?(io\\.netty\\.\\w[\\w.]*)=(\\S*)");
  private static final Pattern SIZE =
      Pattern.compile("(-Xmx|-XX:MaxDirectMemorySize=)(\\d+)([kKmMgG]?)");

  private static final int DEFAULT_PROCESSORS = 8;
  private static final long LOW_MEMORY_HEAP = 512L << 20;
  private static final int MOST_CHUNK_BYTES = 1 << 30;

  /** The runs of some small buffers have 7 pages. Smaller chunks are not simulated. */
  private static final int LEAST_ORDER = 3;

  private static final int MOST_ORDER = 14;
  private static final int LEAST_PAGE_BYTES = 4096;

  /** The given values by their names, without {@code -D}. */
  private final SortedMap<String, String> values;

  private NettySettings(SortedMap<String, String> values) {
    this.values = values;
  }

  /** {@return the settings of a program without these arguments} */
  public static NettySettings defaults() {
    return new NettySettings(new TreeMap<>());
  }

  /**
   * {@return the settings in a text, such as {@code -Dio.netty.allocator.type=pooled
   * -Dio.netty.allocator.maxOrder=7}}
   *
   * <p>The last of several values counts. Settings that Stowage does not know are kept without an
   * effect.
   *
   * @param text the arguments, separated by blanks
   * @throws IllegalArgumentException if the text has anything else than settings of Netty and sizes
   *     of memory, or if a value is wrong
   */
  public static NettySettings parse(String text) {
    TreeMap<String, String> values = new TreeMap<>();
    for (String word : text.strip().split("\\s+", -1)) {
      Matcher assignment = ASSIGNMENT.matcher(word);
      Matcher size = SIZE.matcher(word);
      if (assignment.matches()) {
        values.put(assignment.group(1), assignment.group(2));
      } else if (size.matches()) {
        values.put(size.group(1).replace("=", ""), bytes(word, size.group(2), size.group(3)));
      } else if (!word.isEmpty()) {
        throw new IllegalArgumentException(
            "'" + word + "' is not a setting of Netty, expected one such as -D" + TYPE + "=pooled");
      }
    }
    NettySettings settings = new NettySettings(values);
    settings.check();
    return settings;
  }

  /**
   * {@return the settings of a recorded program, without the values that Netty rejects}
   *
   * @param program the program
   */
  public static NettySettings recorded(RecordedProgram program) {
    NettySettings settings = defaults();
    for (String word : program.settings().split(" ", -1)) {
      try {
        TreeMap<String, String> all = new TreeMap<>(settings.values);
        all.putAll(parse(word).values);
        NettySettings more = new NettySettings(all);
        more.check();
        settings = more;
      } catch (IllegalArgumentException e) {
        // Netty has its default instead.
      }
    }
    return settings;
  }

  private static String bytes(String word, String digits, String unit) {
    try {
      int shift = unit.isEmpty() ? 0 : 10 * ("kmg".indexOf(unit.toLowerCase(Locale.ROOT)) + 1);
      return Long.toString(Math.multiplyExact(Long.parseLong(digits), 1L << shift));
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("'" + word + "' has more than 2^63 - 1 bytes", e);
    }
  }

  private void check() {
    if (!TYPES.contains(type())) {
      throw new IllegalArgumentException(
          TYPE + " is '" + type() + "', expected adaptive, pooled or unpooled");
    }
    checkRange(PROCESSORS, processors(), 1, Integer.MAX_VALUE);
    checkRange("maxOrder", maxOrder(), LEAST_ORDER, MOST_ORDER);
    checkRange("pageSize", pageSize(), LEAST_PAGE_BYTES, MOST_CHUNK_BYTES);
    if (Integer.bitCount(pageSize()) != 1 || (long) pageSize() << maxOrder() > MOST_CHUNK_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "pageSize is %d and maxOrder is %d, expected a power of two and chunks of at most 1 GiB",
              pageSize(),
              maxOrder()));
    }
    checkRange("numDirectArenas", numDirectArenas(), 0, Integer.MAX_VALUE);
    checkRange("smallCacheSize", smallCacheSize(), 0, MOST_CHUNK_BYTES);
    checkRange("normalCacheSize", normalCacheSize(), 0, MOST_CHUNK_BYTES);
    checkRange("maxCachedBufferCapacity", maxCachedBufferCapacity(), 0, Integer.MAX_VALUE);
    checkRange("cacheTrimInterval", cacheTrimInterval(), 1, Integer.MAX_VALUE);
    for (String name : ADAPTIVE) {
      if (!name.equals("lowMemory")) {
        number(PREFIX + name, 1);
      }
    }
  }

  private static void checkRange(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s is %d, expected a number from %d to %d",
              name.contains(".") ? name : PREFIX + name,
              value,
              least,
              most));
    }
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
   * {@return these settings with the facts about the machine of others, unless these have them}
   *
   * @param recorded the settings of a recording
   */
  NettySettings onMachineOf(NettySettings recorded) {
    TreeMap<String, String> all = new TreeMap<>(values);
    recorded.values.forEach((name, value) -> {
      if (FACTS.contains(name)) {
        all.putIfAbsent(name, value);
      }
    });
    return new NettySettings(all);
  }

  /**
   * {@return these settings with another value}
   *
   * @param name the name after {@code io.netty.allocator.}
   * @param value the value
   */
  public NettySettings with(String name, Object value) {
    TreeMap<String, String> all = new TreeMap<>(values);
    all.put(PREFIX + name, value.toString());
    NettySettings changed = new NettySettings(all);
    changed.check();
    return changed;
  }

  private Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
  }

  private int number(String name, int usual) {
    String text = value(name).orElse("");
    if (text.isEmpty()) {
      return usual;
    }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is '" + text + "', expected a whole number", e);
    }
  }

  private boolean flag(String name, boolean usual) {
    return value(name)
        .map(text -> text.equalsIgnoreCase("true") || text.equals("1") || text.equals("yes"))
        .orElse(usual);
  }

  private long bytes(String name) {
    return value(name).map(Long::parseLong).orElse(0L);
  }

  /** {@return the allocator: {@code adaptive}, {@code pooled} or {@code unpooled}} */
  String type() {
    return value(TYPE).orElse(USUAL_TYPE).toLowerCase(Locale.ROOT);
  }

  int processors() {
    return number(PROCESSORS, DEFAULT_PROCESSORS);
  }

  boolean isLowMemory() {
    long heapBytes = bytes(HEAP);
    return flag(PREFIX + "lowMemory", heapBytes > 0 && heapBytes <= LOW_MEMORY_HEAP);
  }

  int chunkReuseQueueCapacity() {
    return Math.max(2, number(PREFIX + "chunkReuseQueueCapacity", 2 * processors()));
  }

  int chunkPurgePollsThreadLocal() {
    return Math.max(1, number(PREFIX + "chunkPurgePollsThreadLocal", 16));
  }

  int chunkPurgePollsShared() {
    return Math.max(1, number(PREFIX + "chunkPurgePollsShared", 128));
  }

  int chunkPurgeThreshold() {
    return Math.max(1, number(PREFIX + "chunkPurgeThreshold", 3));
  }

  int threadLocalChunkCacheMaxBytes() {
    return Math.max(1, number(PREFIX + "threadLocalChunkCacheMaxBytes", 8 << 20));
  }

  int threadLocalChunkCacheMinBytes() {
    int most = threadLocalChunkCacheMaxBytes();
    return Math.min(most, Math.max(1, number(PREFIX + "threadLocalChunkCacheMinBytes", most / 2)));
  }

  int pageSize() {
    return number(PREFIX + "pageSize", 8 << 10);
  }

  int maxOrder() {
    return number(PREFIX + "maxOrder", 9);
  }

  int numDirectArenas() {
    long usual = 2L * processors();
    long memory = bytes(DIRECT) > 0 ? bytes(DIRECT) : bytes(HEAP);
    if (memory > 0) {
      usual = Math.min(usual, memory / ((long) pageSize() << maxOrder()) / 6);
    }
    return number(PREFIX + "numDirectArenas", (int) Math.min(usual, Integer.MAX_VALUE));
  }

  int smallCacheSize() {
    return number(PREFIX + "smallCacheSize", 256);
  }

  int normalCacheSize() {
    return number(PREFIX + "normalCacheSize", 64);
  }

  int maxCachedBufferCapacity() {
    return number(PREFIX + "maxCachedBufferCapacity", 32 << 10);
  }

  int cacheTrimInterval() {
    return number(PREFIX + "cacheTrimInterval", 8192);
  }

  boolean useCacheForAllThreads() {
    return flag(PREFIX + "useCacheForAllThreads", false);
  }

  /** {@return the number of settings that are given, without facts and the usual type} */
  public int count() {
    return toString().isEmpty() ? 0 : toString().split(" ", -1).length;
  }

  /** {@return the settings that have no effect, each with the reason} */
  public List<String> withoutEffect() {
    List<String> notes = new ArrayList<>();
    for (String name : values.keySet()) {
      String shortName = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : "";
      String owner =
          ADAPTIVE.contains(shortName) ? USUAL_TYPE : POOLED.contains(shortName) ? "pooled" : "";
      if (owner.isEmpty()) {
        if (!FACTS.contains(name) && !name.equals(TYPE)) {
          notes.add(name + " has no known effect on direct buffers");
        }
      } else if (!owner.equals(type())) {
        notes.add(
            String.format(
                Locale.ROOT,
                "%s has no effect: it is a setting of the %s allocator, but the type is %s",
                name,
                owner,
                type()));
      }
    }
    return notes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NettySettings that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(values);
  }

  /** {@return the arguments that give a program these settings, whatever the defaults are} */
  public String arguments() {
    String text = toString();
    return isUsualType() ? ("-D" + TYPE + "=" + USUAL_TYPE + " " + text).strip() : text;
  }

  private boolean isUsualType() {
    return type().equals(USUAL_TYPE);
  }

  /** {@return the settings that differ from the defaults as arguments; "" if none does} */
  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    if (!isUsualType()) {
      words.add("-D" + TYPE + "=" + type());
    }
    values.forEach((name, value) -> {
      if (!FACTS.contains(name) && !name.equals(TYPE)) {
        words.add("-D" + name + "=" + value);
      }
    });
    return String.join(" ", words);
  }
}
