package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * {@code stowage plan --baseline} in a folder with a problem of three tensors.
 *
 * @param baseline the baseline file, which does not exist at first
 * @param model the problem
 */
record BaselineCommand(Path baseline, Path model) {

  static final String PROBLEM =
      """
      {"records": [
        {"name": "a", "size": 1000, "first_task": 0, "last_task": 1},
        {"name": "b", "size": 3000, "first_task": 1, "last_task": 2},
        {"name": "c", "size": 2000, "first_task": 2, "last_task": 3}]}
      """;

  private static final List<String> GREEDY =
      List.of("--kind", "offsets", "--strategy", "GREEDY_BY_SIZE");

  /** {@return the command in a folder, in which it creates the problem} */
  static BaselineCommand in(Path folder) throws IOException {
    Path model = folder.resolve("model.json");
    Files.writeString(model, PROBLEM);
    return new BaselineCommand(folder.resolve("memory.json"), model);
  }

  CommandRun plan(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("plan", "--baseline", baseline));
    Collections.addAll(all, arguments);
    return CommandRun.of(all.toArray());
  }

  CommandRun greedy(Object... arguments) {
    List<Object> all = new ArrayList<>(GREEDY);
    Collections.addAll(all, arguments);
    return plan(all.toArray());
  }

  void update(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.add("--update-baseline");
    CommandRun run = plan(all.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("stowage: wrote " + baseline + "\n");
  }

  void updateGreedy(Object... arguments) {
    List<Object> all = new ArrayList<>(GREEDY);
    Collections.addAll(all, arguments);
    update(all.toArray());
  }

  /** Replaces a part of the problem. */
  void replace(String old, String changed) throws IOException {
    String text = Files.readString(model);
    assertThat(text).contains(old);
    Files.writeString(model, text.replace(old, changed));
  }

  /** {@return a message on the problem} */
  String message(String sentence) {
    return "stowage: " + model + ": " + sentence + "\n";
  }

  /** {@return a message on a regression of the problem} */
  String worse(String sentence) {
    return message("worse than the baseline " + baseline + ": " + sentence);
  }
}
