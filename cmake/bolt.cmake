# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Arranges the code of FILE, a program or a shared library, by PROFILE. If there is no profile, FILE
# compiles the files of the list TRAINING as `simple compile` does, with counters in its code. The
# profile counts by function, so that it also applies to other files with the same functions.

# Runs a command. If it fails, shows its output and stops.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command} failed:\n${output}")
  endif()
endfunction()

if(NOT EXISTS "${PROFILE}")
  if(NOT TRAINING)
    message(FATAL_ERROR "there is no ${PROFILE}: remove bin/simple, so that the build makes both again")
  endif()
  # One group of functions after the other has counters, because llvm-bolt takes 10 GB for all. The
  # groups only have to be of similar size, and to contain each function once.
  set(groups "-funcs=_ZN4llvm1.*" "-funcs=_ZN4llvm[^1].*,_ZNK4llvm.*" "-funcs=_ZNK?4mlir.*" "-funcs=_ZNK?12_GLOBAL.*"
      "-skip-funcs=_ZNK?(4llvm|4mlir|12_GLOBAL).*")
  set(counting "${FILE}.counting")
  set(profiles "")
  foreach(group ${groups})
    run("${BOLT}" "${FILE}" -instrument -o "${counting}" "--instrumentation-file=${PROFILE}.run" "${group}")
    foreach(source ${TRAINING})
      run("${CMAKE_COMMAND}" -E env SPL_CACHE=off "${counting}" compile "${source}" --emit bundle --target sm_80
          --target cpu:x86-64-v4 -o "${counting}.out")
      list(LENGTH profiles number)
      file(RENAME "${PROFILE}.run" "${PROFILE}.${number}")
      list(APPEND profiles "${PROFILE}.${number}")
    endforeach()
  endforeach()
  run("${MERGE}" ${profiles} -o "${PROFILE}.run")
  file(REMOVE ${profiles} "${counting}" "${counting}.out")
  file(RENAME "${PROFILE}.run" "${PROFILE}")
endif()

run("${BOLT}" "${FILE}" -o "${FILE}.arranged" "-data=${PROFILE}" -reorder-blocks=ext-tsp -reorder-functions=cdsort
    -split-functions -split-all-cold -split-eh -icf=safe)
file(RENAME "${FILE}.arranged" "${FILE}")
