package dev.stowage.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An ONNX model of sequences of any length, and the name of the dimension that is the length. */
final class SequenceModel {

  private final byte[] bytes;
  private final String dimension;

  private SequenceModel(byte[] bytes, String dimension) {
    this.bytes = bytes;
    this.dimension = dimension;
  }

  /**
   * {@return a generated model: layers of attention}
   *
   * @param width the number of values of each element of the sequence
   */
  static SequenceModel generated(int width) {
    return new SequenceModel(AttentionModel.bytes(width), AttentionModel.DIMENSION);
  }

  /** {@return the models among arguments: those of the form {@code FILE:DIMENSION}} */
  static List<SequenceModel> among(List<String> arguments) throws IOException {
    List<SequenceModel> models = new ArrayList<>();
    for (String argument : arguments) {
      int colon = argument.lastIndexOf(':');
      if (colon >= 0) {
        byte[] bytes = Files.readAllBytes(Path.of(argument.substring(0, colon)));
        models.add(new SequenceModel(bytes, argument.substring(colon + 1)));
      }
    }
    return models;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  String dimension() {
    return dimension;
  }
}
