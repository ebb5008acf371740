package dev.stowage.trace.pytorch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bytes of a pickle, which can be read several times from the start. */
sealed interface PickleSource {

  /** {@return the bytes} */
  InputStream open() throws IOException;

  /** {@return the number of bytes} */
  long byteCount();

  /** A regular file. */
  record OfFile(Path file, long byteCount) implements PickleSource {

    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(file);
    }
  }

  /** A copy in memory. */
  final class OfBytes implements PickleSource {

    private final byte[] bytes;

    OfBytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public long byteCount() {
      return bytes.length;
    }
  }
}
