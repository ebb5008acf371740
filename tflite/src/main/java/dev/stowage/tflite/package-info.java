/** Reads TensorFlow Lite models and writes small ones. */
package dev.stowage.tflite;
