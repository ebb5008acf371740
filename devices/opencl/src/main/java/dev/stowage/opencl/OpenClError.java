package dev.stowage.opencl;

import dev.stowage.memory.device.DeviceException;

/** The error codes of OpenCL. */
final class OpenClError {

  static final int SUCCESS = 0;
  static final int DEVICE_NOT_FOUND = -1;
  static final int MEM_OBJECT_ALLOCATION_FAILURE = -4;
  static final int OUT_OF_RESOURCES = -5;
  static final int OUT_OF_HOST_MEMORY = -6;
  static final int BUILD_PROGRAM_FAILURE = -11;
  static final int INVALID_BUFFER_SIZE = -61;
  static final int PLATFORM_NOT_FOUND = -1001;

  private OpenClError() {}

  /** {@return the exception for a call that failed, with its cause and remedy if they are known} */
  static DeviceException exception(String call, int code) {
    DeviceException failure = new DeviceException(call, code, name(code));
    return switch (code) {
      case -2 ->
          new DeviceException(
              "the device is not available; end the process that uses it alone", failure);
      case OUT_OF_RESOURCES ->
          new DeviceException(
              "the device has too little memory for a command, or a kernel has accessed memory out of bounds; use smaller buffers, or check the kernel",
              failure);
      default -> failure;
    };
  }

  /** {@return true if a buffer cannot be allocated because there is too little memory} */
  static boolean isOutOfMemory(int code) {
    return code == MEM_OBJECT_ALLOCATION_FAILURE
        || code == OUT_OF_RESOURCES
        || code == OUT_OF_HOST_MEMORY
        || code == INVALID_BUFFER_SIZE;
  }

  /** {@return the name of a code in cl.h} */
  static String name(int code) {
    return switch (code) {
      case SUCCESS -> "CL_SUCCESS";
      case DEVICE_NOT_FOUND -> "CL_DEVICE_NOT_FOUND";
      case -2 -> "CL_DEVICE_NOT_AVAILABLE";
      case -3 -> "CL_COMPILER_NOT_AVAILABLE";
      case MEM_OBJECT_ALLOCATION_FAILURE -> "CL_MEM_OBJECT_ALLOCATION_FAILURE";
      case OUT_OF_RESOURCES -> "CL_OUT_OF_RESOURCES";
      case OUT_OF_HOST_MEMORY -> "CL_OUT_OF_HOST_MEMORY";
      case -8 -> "CL_MEM_COPY_OVERLAP";
      case BUILD_PROGRAM_FAILURE -> "CL_BUILD_PROGRAM_FAILURE";
      case -12 -> "CL_MAP_FAILURE";
      case -13 -> "CL_MISALIGNED_SUB_BUFFER_OFFSET";
      case -14 -> "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
      case -30 -> "CL_INVALID_VALUE";
      case -31 -> "CL_INVALID_DEVICE_TYPE";
      case -32 -> "CL_INVALID_PLATFORM";
      case -33 -> "CL_INVALID_DEVICE";
      case -34 -> "CL_INVALID_CONTEXT";
      case -35 -> "CL_INVALID_QUEUE_PROPERTIES";
      case -36 -> "CL_INVALID_COMMAND_QUEUE";
      case -37 -> "CL_INVALID_HOST_PTR";
      case -38 -> "CL_INVALID_MEM_OBJECT";
      case -43 -> "CL_INVALID_BUILD_OPTIONS";
      case -44 -> "CL_INVALID_PROGRAM";
      case -45 -> "CL_INVALID_PROGRAM_EXECUTABLE";
      case -46 -> "CL_INVALID_KERNEL_NAME";
      case -47 -> "CL_INVALID_KERNEL_DEFINITION";
      case -48 -> "CL_INVALID_KERNEL";
      case -49 -> "CL_INVALID_ARG_INDEX";
      case -50 -> "CL_INVALID_ARG_VALUE";
      case -51 -> "CL_INVALID_ARG_SIZE";
      case -52 -> "CL_INVALID_KERNEL_ARGS";
      case -53 -> "CL_INVALID_WORK_DIMENSION";
      case -54 -> "CL_INVALID_WORK_GROUP_SIZE";
      case -55 -> "CL_INVALID_WORK_ITEM_SIZE";
      case -56 -> "CL_INVALID_GLOBAL_OFFSET";
      case -57 -> "CL_INVALID_EVENT_WAIT_LIST";
      case -58 -> "CL_INVALID_EVENT";
      case -59 -> "CL_INVALID_OPERATION";
      case INVALID_BUFFER_SIZE -> "CL_INVALID_BUFFER_SIZE";
      case -63 -> "CL_INVALID_GLOBAL_WORK_SIZE";
      case -64 -> "CL_INVALID_PROPERTY";
      case PLATFORM_NOT_FOUND -> "CL_PLATFORM_NOT_FOUND_KHR";
      default -> "an OpenCL error";
    };
  }
}
