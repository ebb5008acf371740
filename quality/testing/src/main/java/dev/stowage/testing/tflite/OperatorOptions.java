package dev.stowage.testing.tflite;

import com.google.flatbuffers.FlatBufferBuilder;
import java.util.function.ToIntFunction;
import org.tensorflow.lite.schema.AddOptions;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.ConcatenationOptions;
import org.tensorflow.lite.schema.Conv2DOptions;
import org.tensorflow.lite.schema.DepthwiseConv2DOptions;
import org.tensorflow.lite.schema.FullyConnectedOptions;
import org.tensorflow.lite.schema.FullyConnectedOptionsWeightsFormat;
import org.tensorflow.lite.schema.Pool2DOptions;
import org.tensorflow.lite.schema.ReducerOptions;
import org.tensorflow.lite.schema.ReshapeOptions;
import org.tensorflow.lite.schema.ResizeBilinearOptions;
import org.tensorflow.lite.schema.SoftmaxOptions;
import org.tensorflow.lite.schema.TransposeConvOptions;

/**
 * The options of an operator, a table of a union in the schema.
 *
 * @param unionType the code of the table in the union
 * @param table writes the table and returns its offset in the FlatBuffer
 */
record OperatorOptions(byte unionType, ToIntFunction<FlatBufferBuilder> table) {

  static OperatorOptions conv2d(Window window, Activation activation) {
    return new OperatorOptions(
        BuiltinOptions.Conv2DOptions,
        buffer ->
            Conv2DOptions.createConv2DOptions(
                buffer,
                window.padding().code(),
                window.stride(),
                window.stride(),
                activation.code(),
                window.dilation(),
                window.dilation()));
  }

  static OperatorOptions depthwiseConv2d(Window window, Activation activation) {
    int depthMultiplier = 1;
    return new OperatorOptions(
        BuiltinOptions.DepthwiseConv2DOptions,
        buffer ->
            DepthwiseConv2DOptions.createDepthwiseConv2DOptions(
                buffer,
                window.padding().code(),
                window.stride(),
                window.stride(),
                depthMultiplier,
                activation.code(),
                window.dilation(),
                window.dilation()));
  }

  static OperatorOptions transposeConv(Window window, Activation activation) {
    return new OperatorOptions(
        BuiltinOptions.TransposeConvOptions,
        buffer ->
            TransposeConvOptions.createTransposeConvOptions(
                buffer,
                window.padding().code(),
                window.stride(),
                window.stride(),
                activation.code()));
  }

  static OperatorOptions pool2d(Window window) {
    return new OperatorOptions(
        BuiltinOptions.Pool2DOptions,
        buffer ->
            Pool2DOptions.createPool2DOptions(
                buffer,
                window.padding().code(),
                window.stride(),
                window.stride(),
                window.width(),
                window.height(),
                Activation.NONE.code()));
  }

  static OperatorOptions add(Activation activation) {
    // potScaleInt16 keeps the default of the schema, and applies only to INT16.
    return new OperatorOptions(
        BuiltinOptions.AddOptions,
        buffer -> AddOptions.createAddOptions(buffer, activation.code(), true));
  }

  static OperatorOptions concatenation(int axis) {
    return new OperatorOptions(
        BuiltinOptions.ConcatenationOptions,
        buffer ->
            ConcatenationOptions.createConcatenationOptions(buffer, axis, Activation.NONE.code()));
  }

  static OperatorOptions resizeBilinear() {
    return new OperatorOptions(
        BuiltinOptions.ResizeBilinearOptions,
        buffer -> ResizeBilinearOptions.createResizeBilinearOptions(buffer, true, false));
  }

  static OperatorOptions reshape(int[] shape) {
    int[] newShape = shape.clone();
    return new OperatorOptions(
        BuiltinOptions.ReshapeOptions,
        buffer ->
            ReshapeOptions.createReshapeOptions(
                buffer, ReshapeOptions.createNewShapeVector(buffer, newShape)));
  }

  static OperatorOptions softmax() {
    return new OperatorOptions(
        BuiltinOptions.SoftmaxOptions, buffer -> SoftmaxOptions.createSoftmaxOptions(buffer, 1));
  }

  static OperatorOptions mean() {
    return new OperatorOptions(
        BuiltinOptions.ReducerOptions,
        buffer -> ReducerOptions.createReducerOptions(buffer, false));
  }

  static OperatorOptions fullyConnected(Activation activation) {
    return new OperatorOptions(
        BuiltinOptions.FullyConnectedOptions,
        buffer ->
            FullyConnectedOptions.createFullyConnectedOptions(
                buffer,
                activation.code(),
                FullyConnectedOptionsWeightsFormat.DEFAULT,
                false,
                false));
  }
}
