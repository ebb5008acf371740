package dev.stowage.onnx;

import dev.stowage.onnx.graph.GraphValue;
import java.util.List;

/**
 * A value that shares the record of another value as a view of it.
 *
 * @param name the name of the value
 * @param producer the task of the operator that makes the view
 */
public record OnnxView(String name, int producer) {

  static List<List<OnnxView>> of(List<List<GraphValue>> views) {
    return views.stream()
        .map(ofRecord ->
            ofRecord.stream().map(value -> new OnnxView(value.name(), value.firstTask())).toList())
        .toList();
  }
}
