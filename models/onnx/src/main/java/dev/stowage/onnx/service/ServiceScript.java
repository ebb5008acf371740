package dev.stowage.onnx.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The work of a process that measures a service, as pairs of words on its command line.
 *
 * @param model the model
 * @param load the counts of the load
 * @param options the options of sessions and runs
 * @param bounds the exclusive upper bounds of the integers of inputs
 * @param files the {@code .npy} files of inputs
 * @param shapes the shapes of rounds, in their order
 * @param mixed the shapes of the mixed load; empty if there is none
 * @param arrivals the shapes in the order of their arrival; empty if they are not known
 */
public record ServiceScript(
    Path model,
    Load load,
    Map<String, String> options,
    Map<String, Long> bounds,
    Map<String, Path> files,
    List<Map<String, Long>> shapes,
    List<Map<String, Long>> mixed,
    List<Map<String, Long>> arrivals) {

  /**
   * The counts of a load.
   *
   * @param sessions the number of sessions
   * @param threads the number of threads of each session
   * @param concurrent the number of requests at a time in each session
   * @param windowSeconds the length of a window of the mixed load
   * @param isMixedFirst true if the mixed load comes before the first round
   */
  public record Load(
      int sessions, int threads, int concurrent, int windowSeconds, boolean isMixedFirst) {}

  /** {@return the words of the command line, which {@link #parse} reads} */
  public List<String> words() {
    List<String> words = new ArrayList<>(List.of("model", model.toString()));
    words.addAll(List.of("sessions", Integer.toString(load.sessions)));
    words.addAll(List.of("threads", Integer.toString(load.threads)));
    words.addAll(List.of("concurrent", Integer.toString(load.concurrent)));
    words.addAll(List.of("window", Integer.toString(load.windowSeconds)));
    words.addAll(List.of("first", load.isMixedFirst ? "mixed" : "rounds"));
    options.forEach((name, value) -> words.addAll(List.of("option", value + " " + name)));
    bounds.forEach((name, bound) -> words.addAll(List.of("bound", bound + " " + name)));
    files.forEach((name, file) -> words.addAll(List.of("input", name, "file", file.toString())));
    add("shapes", shapes, words);
    add("mixed", mixed, words);
    add("arrivals", arrivals, words);
    return words;
  }

  private static void add(String list, List<Map<String, Long>> shapes, List<String> words) {
    for (Map<String, Long> shape : shapes) {
      shape.forEach((name, size) -> words.addAll(List.of("dim", size + " " + name)));
      words.addAll(List.of("to", list));
    }
  }

  /** {@return the work of {@link #words}} */
  static ServiceScript parse(String... words) {
    Map<String, String> single = new LinkedHashMap<>();
    Map<String, String> options = new LinkedHashMap<>();
    Map<String, Long> bounds = new LinkedHashMap<>();
    Map<String, Path> files = new LinkedHashMap<>();
    Map<String, List<Map<String, Long>>> lists = new LinkedHashMap<>();
    Map<String, Long> shape = new LinkedHashMap<>();
    for (int i = 0; i < words.length; i += 2) {
      String value = words[i + 1];
      switch (words[i]) {
        case "option" -> options.put(afterSpace(value), beforeSpace(value));
        case "bound" -> bounds.put(afterSpace(value), Long.parseLong(beforeSpace(value)));
        case "file" -> files.put(single.getOrDefault("input", ""), Path.of(value));
        case "dim" -> shape.put(afterSpace(value), Long.parseLong(beforeSpace(value)));
        case "to" -> {
          lists.computeIfAbsent(value, _ -> new ArrayList<>()).add(shape);
          shape = new LinkedHashMap<>();
        }
        default -> single.put(words[i], value);
      }
    }
    return new ServiceScript(
        Path.of(single.getOrDefault("model", "")),
        new Load(
            count(single, "sessions"),
            count(single, "threads"),
            count(single, "concurrent"),
            count(single, "window"),
            single.getOrDefault("first", "").equals("mixed")),
        options,
        bounds,
        files,
        lists.getOrDefault("shapes", List.of()),
        lists.getOrDefault("mixed", List.of()),
        lists.getOrDefault("arrivals", List.of()));
  }

  private static int count(Map<String, String> single, String name) {
    return Integer.parseInt(single.getOrDefault(name, "1"));
  }

  private static String beforeSpace(String value) {
    return value.substring(0, value.indexOf(' '));
  }

  private static String afterSpace(String value) {
    return value.substring(value.indexOf(' ') + 1);
  }
}
