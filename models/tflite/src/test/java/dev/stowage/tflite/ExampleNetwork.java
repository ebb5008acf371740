package dev.stowage.tflite;

import dev.stowage.testing.tflite.TfliteGraphBuilder;
import java.nio.file.Path;
import java.util.function.Supplier;

/** The networks of {@code examples/}. */
enum ExampleNetwork {
  MOBILENET_V1("mobilenet_v1", MobileNetV1::classifier),
  MOBILENET_V2("mobilenet_v2", MobileNetV2::classifier),
  DEEPLAB_V3("deeplab_v3", MobileNetV2::deepLabV3),
  INCEPTION_V3("inception_v3", InceptionV3::classifier),
  POSENET("posenet", MobileNetV1::poseNet),
  UNET("unet", UNet::segmenter);

  private final String fileName;

  @SuppressWarnings("ImmutableEnumChecker") // suppliers have no state
  private final Supplier<TfliteGraphBuilder> graph;

  ExampleNetwork(String name, Supplier<TfliteGraphBuilder> graph) {
    this.fileName = name + ".tflite";
    this.graph = graph;
  }

  TfliteGraphBuilder graph() {
    return graph.get();
  }

  Path file() {
    return Path.of(System.getProperty("stowage.root"), "examples", fileName);
  }
}
