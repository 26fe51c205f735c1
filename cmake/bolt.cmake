# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Arranges the code of FILE, a program or a shared library, by PROFILE. If there is no profile, FILE is
# `simple`, and compiles the files of the list TRAINING with counters in its code. The profile counts
# by function, so that it also applies to other files with the same functions.

# Runs a command. If it fails, shows its output and stops.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command} failed:\n${output}")
  endif()
endfunction()

if(NOT EXISTS "${PROFILE}")
  set(counting "${FILE}.counting")
  run("${BOLT}" "${FILE}" -instrument -o "${counting}" "--instrumentation-file=${PROFILE}.run")
  set(runs "")
  foreach(source ${TRAINING})
    list(LENGTH runs number)
    run("${CMAKE_COMMAND}" -E env SPL_CACHE=off "${counting}" compile "${source}" --emit bundle --target sm_80
        --target cpu:x86-64-v4 -o "${counting}.out")
    file(RENAME "${PROFILE}.run" "${PROFILE}.${number}")
    list(APPEND runs "${PROFILE}.${number}")
  endforeach()
  run("${MERGE}" ${runs} -o "${PROFILE}.run")
  file(REMOVE ${runs} "${counting}" "${counting}.out")
  file(RENAME "${PROFILE}.run" "${PROFILE}")
endif()

run("${BOLT}" "${FILE}" -o "${FILE}.arranged" "-data=${PROFILE}" -reorder-blocks=ext-tsp -reorder-functions=cdsort
    -split-functions -split-all-cold -split-eh -icf=1)
file(RENAME "${FILE}.arranged" "${FILE}")
