/** A builder of {@code .tflite} files for tests. */
@NullMarked
package dev.stowage.testing.tflite;

import org.jspecify.annotations.NullMarked;
