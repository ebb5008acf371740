/** TensorFlow Lite models: reading them as planning problems, and building small ones. */
package dev.stowage.tflite;
