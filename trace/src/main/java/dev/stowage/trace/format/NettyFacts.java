package dev.stowage.trace.format;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The facts about a program with Netty that its allocators depend on. */
final class NettyFacts {

  private final Map<String, Long> numbers = new HashMap<>();
  private final Set<String> properties = new LinkedHashSet<>();
  private Optional<String> version = Optional.empty();

  void add(NettyEvent fact) {
    String name = fact.allocator();
    if (name.startsWith(NettyEvents.PROPERTY)) {
      properties.add(name);
    } else if (name.startsWith(NettyEvents.VERSION)) {
      version = Optional.of(name.substring(NettyEvents.VERSION.length()));
    } else {
      numbers.put(name, fact.bytes());
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
    addFirst(
        "-Dio.netty.availableProcessors=",
        List.of("ActiveProcessorCount", "effectiveCpuCount", "hwThreads"),
        words);
    addFirst("-Xmx", List.of("maxSize"), words);
    addFirst("-XX:MaxDirectMemorySize=", List.of("MaxDirectMemorySize"), words);
    words.addAll(properties);
    // A program may create allocators of another type than the property names.
    words.add("-Dio.netty.allocator.type=" + (isPooled ? "pooled" : "adaptive"));
    return String.join(" ", words);
  }

  private void addFirst(String argument, List<String> names, List<String> words) {
    names.stream()
        .map(name -> numbers.getOrDefault(name, 0L))
        .filter(number -> number > 0)
        .findFirst()
        .ifPresent(number -> words.add(argument + number));
  }
}
