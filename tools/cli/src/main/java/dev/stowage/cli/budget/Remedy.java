package dev.stowage.cli.budget;

import dev.stowage.pages.text.Text;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings that may need less memory.
 *
 * @param name the name in tables
 * @param options the options that differ from the service
 * @param line the line of Java that sets them, or the reason why there is none
 */
public record Remedy(String name, Map<String, String> options, String line) {

  private static final String ALLOCATOR = "allocator";

  /** The settings that every service can choose. */
  static final List<Remedy> ALL =
      List.of(
          new Remedy("as given", Map.of(), ""),
          new Remedy("arena=off", Map.of("arena", "off"), "options.setCPUArenaAllocator(false);"),
          new Remedy(
              "shrink=on",
              Map.of("shrink", "on"),
              "runOptions.addRunConfigEntry(\"memory.enable_memory_arena_shrinkage\", \"cpu:0\");"),
          new Remedy(
              "arena_extend_strategy=same",
              Map.of("arena_extend_strategy", "same"),
              "no call in Java (onnxruntime#18845); measured through the C API"),
          new Remedy(
              "memory_pattern=off",
              Map.of("memory_pattern", "off"),
              "options.setMemoryPatternOptimization(false);"),
          new Remedy(
              "Stowage's allocator", Map.of(ALLOCATOR, "0"), "allocator.configure(options);"));

  /**
   * {@return admission of one run at a time by Stowage's allocator}
   *
   * @param limitBytes the limit of the allocator
   * @param runBytes the bytes of a run
   */
  static Remedy admission(long limitBytes, long runBytes) {
    return new Remedy(
        "with admission",
        Map.of(ALLOCATOR, "" + limitBytes, "admit", "" + runBytes),
        "memory.admit(" + runBytes + ", timeout);");
  }

  /** {@return the options of a service with these} */
  Map<String, String> over(Map<String, String> given) {
    Map<String, String> all = new LinkedHashMap<>(given);
    all.putAll(options);
    if (options.containsKey(ALLOCATOR)) {
      // The run option makes ONNX Runtime fail with an allocator that is not its own.
      all.remove("shrink");
      all.remove("arena_extend_strategy");
    }
    return all;
  }

  /**
   * The measured memory with a remedy.
   *
   * @param remedy the remedy
   * @param highestBytes the most bytes; 0 if it cannot be measured
   * @param keptBytes the bytes after the largest request; 0 if it cannot be measured
   * @param nanos the time of a run; 0 if it cannot be measured
   * @param failure the reason why it cannot be measured; otherwise empty
   */
  public record Result(
      Remedy remedy, long highestBytes, long keptBytes, long nanos, String failure) {

    /** {@return the result of a remedy that cannot be measured} */
    static Result failed(Remedy remedy, String failure) {
      return new Result(remedy, 0, 0, 0, failure);
    }

    /** {@return the time of a run: {@code 240 ms}} */
    public String time() {
      return Text.of(nanos < 10_000_000 ? "%.1f ms" : "%.0f ms", nanos / 1e6);
    }
  }
}
