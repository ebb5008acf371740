package dev.stowage.cli.input;

import java.util.List;
import java.util.OptionalLong;

/**
 * Properties of an input file.
 *
 * @param path the file as on the command line
 * @param format {@code tflite}, {@code onnx}, {@code csv} or {@code json}
 * @param operatorCount the number of tasks
 * @param capacity the bytes that a plan must fit into, if the file limits them
 * @param notes sentences for the user, for example on tensors that are not planned
 */
public record InputFile(
    String path, String format, long operatorCount, OptionalLong capacity, List<String> notes) {}
