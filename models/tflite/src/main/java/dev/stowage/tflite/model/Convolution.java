package dev.stowage.tflite.model;

import java.util.Optional;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.Conv2DOptions;
import org.tensorflow.lite.schema.DepthwiseConv2DOptions;
import org.tensorflow.lite.schema.Operator;

/**
 * The options of a convolution that determine its scratch buffers.
 *
 * @param strideWidth the columns from one position of the filter to the next
 * @param strideHeight the rows from one position of the filter to the next
 * @param dilationWidth the columns from one element of the filter to the next
 * @param dilationHeight the rows from one element of the filter to the next
 * @param multiplier the channels of the result for each channel of the input, of a depthwise
 *     convolution; 1 for others
 */
public record Convolution(
    int strideWidth, int strideHeight, int dilationWidth, int dilationHeight, int multiplier) {

  /** {@return the options of an operator; empty if it is no convolution} */
  static Optional<Convolution> of(Operator operator) {
    return switch (operator.builtinOptionsType()) {
      case BuiltinOptions.Conv2DOptions ->
          Optional.ofNullable((Conv2DOptions) operator.builtinOptions(new Conv2DOptions()))
              .map(of ->
                  new Convolution(
                      of.strideW(), of.strideH(), of.dilationWFactor(), of.dilationHFactor(), 1));
      case BuiltinOptions.DepthwiseConv2DOptions ->
          Optional.ofNullable(
                  (DepthwiseConv2DOptions) operator.builtinOptions(new DepthwiseConv2DOptions()))
              .map(of ->
                  new Convolution(
                      of.strideW(),
                      of.strideH(),
                      of.dilationWFactor(),
                      of.dilationHFactor(),
                      of.depthMultiplier()));
      default -> Optional.empty();
    };
  }
}
