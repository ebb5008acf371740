package dev.stowage.onnx.file;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The other files that contain the data of tensors of a model. */
final class ExternalData {

  private final Path file;
  private final Set<String> locations = new TreeSet<>();

  private ExternalData(Path file) {
    this.file = file;
  }

  /**
   * {@return the files, relative to the folder of the model}
   *
   * @param file the file of the model
   * @param model the model
   * @throws MalformedFileException if a file is not within the folder of the model, also by a link,
   *     does not exist, or is too short
   * @throws IOException if the size of a file cannot be read
   */
  static List<Path> of(Path file, ModelProto model) throws IOException {
    ExternalData data = new ExternalData(file);
    data.addGraph(model.getGraph());
    for (var function : model.getFunctionsList()) {
      data.addNodes(function.getNodeList());
      data.addAttributes(function.getAttributeProtoList());
    }
    for (var training : model.getTrainingInfoList()) {
      data.addGraph(training.getInitialization());
      data.addGraph(training.getAlgorithm());
    }
    return data.locations.stream().map(Path::of).toList();
  }

  private void addGraph(GraphProto graph) throws IOException {
    addTensors(graph.getInitializerList());
    addSparse(graph.getSparseInitializerList());
    addNodes(graph.getNodeList());
  }

  private void addNodes(List<NodeProto> nodes) throws IOException {
    for (NodeProto node : nodes) {
      addAttributes(node.getAttributeList());
    }
  }

  private void addAttributes(List<AttributeProto> attributes) throws IOException {
    for (AttributeProto attribute : attributes) {
      add(attribute.getT());
      addTensors(attribute.getTensorsList());
      addSparse(List.of(attribute.getSparseTensor()));
      addSparse(attribute.getSparseTensorsList());
      addGraph(attribute.getG());
      for (GraphProto body : attribute.getGraphsList()) {
        addGraph(body);
      }
    }
  }

  private void addSparse(List<SparseTensorProto> tensors) throws IOException {
    for (SparseTensorProto tensor : tensors) {
      add(tensor.getValues());
      add(tensor.getIndices());
    }
  }

  private void addTensors(List<TensorProto> tensors) throws IOException {
    for (TensorProto tensor : tensors) {
      add(tensor);
    }
  }

  private void add(TensorProto tensor) throws IOException {
    if (tensor.getDataLocation() != TensorProto.DataLocation.EXTERNAL) {
      return;
    }
    Map<String, String> entries = new HashMap<>();
    for (StringStringEntryProto entry : tensor.getExternalDataList()) {
      entries.put(entry.getKey(), entry.getValue());
    }
    String location = entries.getOrDefault("location", "");
    long fileBytes = Files.size(inFolder(tensor, location));
    long offset = number(tensor, entries.getOrDefault("offset", "0"));
    long bytes = number(tensor, entries.getOrDefault("length", "0"));
    if (offset > fileBytes || bytes > fileBytes - offset) {
      throw malformed(
          tensor,
          String.format(
              Locale.ROOT,
              "has %d bytes at %d in '%s', expected a part of the file, which has %d bytes",
              bytes,
              offset,
              MalformedFileException.excerpt(location),
              fileBytes));
    }
    locations.add(location);
  }

  /**
   * {@return a file in the folder of the model, or of the model's target if the model is a link}
   */
  private Path inFolder(TensorProto tensor, String location) throws IOException {
    try {
      Path path = Path.of(location);
      boolean isWithin = !location.isEmpty() && !path.isAbsolute();
      for (Path part : path) {
        isWithin &= !part.toString().equals("..");
      }
      Path found = file.toAbsolutePath().resolveSibling(path);
      if (isWithin && Files.isRegularFile(found)) {
        Path real = found.toRealPath();
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
        // ONNX Runtime permits the same two folders. Caches of models have links in the first one.
        if (real.startsWith(folder.toRealPath())
            || real.startsWith(file.toRealPath().resolveSibling(""))) {
          return found;
        }
        throw malformed(
            tensor,
            String.format(
                Locale.ROOT,
                "is in '%s', a link to '%s', expected a file in the folder of the model",
                MalformedFileException.excerpt(location),
                MalformedFileException.excerpt(real.toString())));
      }
    } catch (InvalidPathException e) {
      // Such a name gets the message below.
    }
    throw malformed(
        tensor,
        String.format(
            Locale.ROOT,
            "is in '%s', expected a file in the folder of the model",
            MalformedFileException.excerpt(location)));
  }

  private long number(TensorProto tensor, String text) throws MalformedFileException {
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // A text that is no number gets the message of a negative number.
    }
    throw malformed(
        tensor,
        String.format(
            Locale.ROOT,
            "has external data with the number '%s', expected 0 or more bytes",
            MalformedFileException.excerpt(text)));
  }

  private MalformedFileException malformed(TensorProto tensor, String problem) {
    return new MalformedFileException(
        file.toString(),
        String.format(Locale.ROOT, "tensor '%s'", MalformedFileException.excerpt(tensor.getName())),
        problem);
  }
}
