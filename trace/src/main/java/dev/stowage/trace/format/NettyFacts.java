package dev.stowage.trace.format;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The facts about a program with Netty that its allocators depend on. */
final class NettyFacts {

  private final Map<String, Long> numbers = new HashMap<>();
  private final Set<String> properties = new LinkedHashSet<>();
  private Optional<String> version = Optional.empty();

  void add(NettyEvent fact) {
    switch (fact.allocator()) {
      case NettyEvents.PROPERTY -> properties.addAll(fact.frames());
      case NettyEvents.VERSION -> version = fact.frames().stream().findFirst();
      default -> numbers.put(fact.allocator(), fact.bytes());
    }
  }

  /** {@return the version of Netty, if the class path names it} */
  Optional<String> version() {
    return version;
  }

  /**
   * {@return the arguments of the program}
   *
   * @param isPooled true if the recorded allocator is the pooled one, false for the adaptive one
   */
  String settings(boolean isPooled) {
    List<String> words = new ArrayList<>();
    long processors = firstPositive("ActiveProcessorCount", "effectiveCpuCount", "hwThreads");
    if (processors > 0) {
      words.add("-Dio.netty.availableProcessors=" + processors);
    }
    long heapBytes = firstPositive("maxSize");
    if (heapBytes > 0) {
      words.add("-Xmx" + heapBytes);
    }
    long directBytes = firstPositive("MaxDirectMemorySize");
    if (directBytes > 0) {
      words.add("-XX:MaxDirectMemorySize=" + directBytes);
    }
    words.addAll(properties);
    // A program may create allocators of other types than that of the property.
    words.add("-Dio.netty.allocator.type=" + (isPooled ? "pooled" : "adaptive"));
    return String.join(" ", words);
  }

  private long firstPositive(String... names) {
    return Stream.of(names)
        .mapToLong(name -> numbers.getOrDefault(name, 0L))
        .filter(number -> number > 0)
        .findFirst()
        .orElse(0);
  }
}
