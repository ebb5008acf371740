package dev.stowage.tflite.micro;

/** The variants of ESP-NN. */
enum EspNnTarget {
  /** The kernels in plain C, if {@code CONFIG_NN_OPTIMIZED} is not set. */
  ansi,

  /** The generic optimized kernels, for the ESP32 and all chips without kernels of their own. */
  esp32,

  /** The kernels with vector instructions of the ESP32-S3. */
  esp32s3,

  /** The kernels of the ESP32-P4, from 1.1.0; before, those of {@link #esp32}. */
  esp32p4
}
