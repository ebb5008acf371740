package dev.stowage.cli.input;

import java.util.List;
import java.util.OptionalLong;

/**
 * What is said of an input file itself.
 *
 * @param path the file as it was named on the command line
 * @param format {@code tflite}, {@code onnx}, {@code csv} or {@code json}
 * @param operatorCount how many tasks there are
 * @param capacity the bytes that the file says are enough
 * @param notes what a user should know, such as tensors that are not planned; a sentence each
 */
public record InputFile(
    String path, String format, long operatorCount, OptionalLong capacity, List<String> notes) {}
