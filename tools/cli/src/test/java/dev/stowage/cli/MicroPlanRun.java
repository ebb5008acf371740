package dev.stowage.cli;

import dev.stowage.testing.tflite.GraphTensor;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs of {@code plan --runtime tflm}. */
final class MicroPlanRun {

  private MicroPlanRun() {}

  /**
   * Writes a small model and {@return its file}
   *
   * <p>It has an input, its reshaped form, a mean of it, and a softmax of the mean.
   */
  static Path writeModel(Path folder) throws IOException {
    Path model = folder.resolve("net.tflite");
    TfliteGraphBuilder net = TfliteGraphBuilder.named("net");
    GraphTensor image = net.input("image", 1, 4, 4, 3);
    GraphTensor turned = net.reshape("turned", image, 1, 2, 8, 3);
    GraphTensor mean = net.mean("mean", turned);
    net.output(net.softmax("result", mean));
    net.writeTo(model);
    return model;
  }

  static CommandRun planned(Object file, Object... options) {
    return CommandRun.of(
        Stream.concat(Stream.of("plan", file, "--runtime", "tflm"), Stream.of(options)).toArray());
  }

  static JsonNode json(CommandRun run) {
    return JsonMapper.shared().readTree(run.out());
  }
}
