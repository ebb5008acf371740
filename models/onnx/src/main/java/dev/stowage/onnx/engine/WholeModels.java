package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.ModelProto;
import java.util.Optional;

/**
 * The models that ONNX Runtime runs as a whole.
 *
 * @param asWritten the model that replaces the file; empty if ONNX Runtime runs the file itself
 * @param reordered the model with its operators in another order; empty if they keep the order of
 *     the file
 */
public record WholeModels(Optional<ModelProto> asWritten, Optional<ModelProto> reordered) {}
