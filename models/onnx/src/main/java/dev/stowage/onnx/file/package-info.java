/**
 * Files of ONNX models: {@link OnnxModelWriter} permutes the operators of a file ({@link
 * NodeBytes}), and {@link ExternalData} finds the weights in other files.
 */
package dev.stowage.onnx.file;
