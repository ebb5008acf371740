package dev.stowage.cli.report;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.text.ShellLine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The command that writes a plan into a model, as users can copy it. */
public final class RewriteCommandLine {

  private static final String EXTENSION = ".tflite";

  /** The limit of the searches of the command without the option. */
  private static final Duration TIME_LIMIT = Duration.ofSeconds(10);

  private RewriteCommandLine() {}

  /**
   * {@return the command, which writes a copy into the current folder}
   *
   * @param isReordered true if the operators may have another order
   */
  public static String of(String model, MicroReport micro, boolean isReordered) {
    MicroMemory memory = micro.memory();
    List<String> words = new ArrayList<>(List.of("rewrite", model));
    memory.options().kernels().ifPresent(kernels -> words.addAll(List.of("--kernels", kernels)));
    memory.options().scratch().ifPresent(scratch -> words.addAll(List.of("--scratch", scratch)));
    if (memory.options().isWithoutScratch()) {
      words.add("--no-scratch");
    }
    if (isReordered) {
      words.add("--reorder");
    }
    if (memory.isInPlace()) {
      words.add("--alias");
    }
    if (micro.timeLimit().compareTo(TIME_LIMIT) > 0) {
      words.addAll(List.of("--time-limit", seconds(micro.timeLimit())));
    }
    words.addAll(List.of("--output", output(model)));
    return ShellLine.of(words);
  }

  /** {@return a time in whole seconds, rounded up} */
  private static String seconds(Duration time) {
    return Long.toString(time.plusNanos(999_999_999).toSeconds());
  }

  private static String output(String model) {
    String name = String.valueOf(Path.of(model).getFileName());
    boolean hasExtension =
        name.regionMatches(
            true, name.length() - EXTENSION.length(), EXTENSION, 0, EXTENSION.length());
    String base = hasExtension ? name.substring(0, name.length() - EXTENSION.length()) : name;
    return base + "-planned" + EXTENSION;
  }
}
