package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.UnsafeByteOperations;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The weights of a model, including weights in other files. */
final class ModelInitializers {

  private final Path model;
  private final Map<Path, MemorySegment> files = new HashMap<>();

  private ModelInitializers(Path model) {
    this.model = model;
  }

  /**
   * {@return the initializers of a graph with their data}
   *
   * @param model the file of the model; its folder has the other files
   * @param graph the graph
   * @throws MalformedFileException if the data of an initializer is missing
   * @throws IOException if a file cannot be read
   */
  static List<TensorProto> of(Path model, ModelGraph graph) throws IOException {
    ModelInitializers initializers = new ModelInitializers(model);
    List<TensorProto> tensors = new ArrayList<>();
    for (TensorProto tensor : graph.model().getGraph().getInitializerList()) {
      tensors.add(
          tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL
              ? initializers.withData(tensor)
              : tensor);
    }
    return tensors;
  }

  private TensorProto withData(TensorProto tensor) throws IOException {
    Map<String, String> entries = new HashMap<>();
    for (StringStringEntryProto entry : tensor.getExternalDataList()) {
      entries.put(entry.getKey(), entry.getValue());
    }
    MemorySegment file = file(tensor, entries.getOrDefault("location", ""));
    try {
      long offset = Long.parseLong(entries.getOrDefault("offset", "0"));
      int length =
          entries.containsKey("length")
              ? Integer.parseInt(entries.get("length"))
              : Math.toIntExact(file.byteSize() - offset);
      ByteBuffer data = file.asSlice(offset, length).asByteBuffer();
      return tensor.toBuilder()
          .clearDataLocation()
          .clearExternalData()
          .setRawData(UnsafeByteOperations.unsafeWrap(data))
          .build();
    } catch (NumberFormatException | ArithmeticException | IndexOutOfBoundsException e) {
      throw malformed(
          tensor,
          String.format(
              Locale.ROOT,
              "is at %s in a file of %d bytes, expected at most 2^31 - 1 bytes within the file",
              MalformedFileException.excerpt(entries.toString()),
              file.byteSize()));
    }
  }

  private MemorySegment file(TensorProto tensor, String location) throws IOException {
    Path folder = model.toAbsolutePath().normalize().resolveSibling("");
    // The location may contain characters that paths cannot have.
    Path file = folder.resolve(location.replace('\0', '?')).normalize();
    if (location.isEmpty() || !file.startsWith(folder) || !Files.isRegularFile(file)) {
      throw malformed(
          tensor,
          String.format(
              Locale.ROOT,
              "is in '%s', expected a file in the folder of the model",
              MalformedFileException.excerpt(location)));
    }
    MemorySegment mapped = files.get(file);
    if (mapped == null) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        mapped = channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
        files.put(file, mapped);
      }
    }
    return mapped;
  }

  private MalformedFileException malformed(TensorProto tensor, String problem) {
    return new MalformedFileException(
        model.toString(),
        String.format(
            Locale.ROOT, "initializer '%s'", MalformedFileException.excerpt(tensor.getName())),
        problem);
  }
}
